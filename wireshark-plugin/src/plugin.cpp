// What Wireshark looks for in a plugin, and what it calls.
#include "wireshark.hpp"

#include "protocols.hpp"
#include "session.hpp"
#include "statistics.hpp"

namespace eciscope::shark {

Settings& settings() {
    static Settings all;
    return all;
}

Session& session() {
    static Session current;
    return current;
}

namespace {

void begin_file() {
    const bool check = settings().checking != checking_off;
    session().messages = std::make_unique<Trace>(check);
    session().blocks = std::make_unique<BlockTrace>(check);
}

void end_file() {
    session() = {};
}

/// The first pass is over: what was held back comes out now, in time for the second.
void end_first_pass() {
    if (session().messages != nullptr) {
        session().messages->finish();
        session().blocks->finish();
    }
}

void register_preferences() {
    static const enum_val_t levels[] = {{"off", "Off", checking_off},
                                        {"violations", "Violations only", checking_violations},
                                        {"all", "Violations, warnings and notes", checking_all},
                                        {nullptr, nullptr, 0}};
    module_t* module = prefs_register_protocol(eci_protocol_number(), apply_preferences);
    Settings& all = settings();
    prefs_register_uint_preference(module, "message_user", "User link type of messages",
                                   "DLT_USER number, 0 to 15, of packets with a message each", 10, &all.message_user);
    prefs_register_uint_preference(module, "block_user", "User link type of block records",
                                   "DLT_USER number, 0 to 15, of the interposer's captures", 10, &all.block_user);
    prefs_register_string_preference(module, "node0", "Name of node 0", "Shown as source and destination",
                                     &all.node_names[0]);
    prefs_register_string_preference(module, "node1", "Name of node 1", "Shown as source and destination",
                                     &all.node_names[1]);
    prefs_register_bool_preference(module, "show_aliased", "Aliased addresses in the Info column",
                                   "Show lines as headers carry them, not as their home's memory has them",
                                   &all.show_aliased);
    prefs_register_enum_preference(module, "checking", "Check the protocol",
                                   "What of the checker's findings is shown; off makes loading faster", &all.checking,
                                   levels, FALSE);
}

void register_all() {
    register_eci();
    register_eciblk();
    register_preferences();
    register_statistics(eci_protocol_number());
    register_init_routine(begin_file);
    register_cleanup_routine(end_file);
    register_postseq_cleanup_routine(end_first_pass);
}

void hand_off_all() {
    apply_preferences();
    register_statistics_tree();
}

}  // namespace

void apply_preferences() {
    constexpr unsigned last_user = 15;
    Settings& all = settings();
    all.message_user = std::min(all.message_user, last_user);
    all.block_user = std::min(all.block_user, last_user);
    hand_off_eci();
    hand_off_eciblk();
}

}  // namespace eciscope::shark

extern "C" {
// A constant of namespace scope is not exported unless it was declared so before.
WS_DLL_PUBLIC const gchar plugin_version[];
WS_DLL_PUBLIC const int plugin_want_major;
WS_DLL_PUBLIC const int plugin_want_minor;
WS_DLL_PUBLIC void plugin_register(void);

const gchar plugin_version[] = ECISCOPE_VERSION;
const int plugin_want_major = WIRESHARK_VERSION_MAJOR;
const int plugin_want_minor = WIRESHARK_VERSION_MINOR;

void plugin_register(void) {
    static proto_plugin plugin;
    plugin.register_protoinfo = eciscope::shark::register_all;
    plugin.register_handoff = eciscope::shark::hand_off_all;
    proto_register_plugin(&plugin);
}
}
