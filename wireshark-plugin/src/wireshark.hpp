// The parts of Wireshark that the plugin uses, in the order in which they compile.
//
// Wireshark leaves functions by longjmp (when bytes are missing, or a tree grows too large), which runs no destructors:
// a function that calls it holds nothing that would have to be freed.
#pragma once

#include <wireshark.h>

#include <epan/packet.h>

#include <epan/conversation.h>
#include <epan/conversation_table.h>
#include <epan/epan_dissect.h>
#include <epan/expert.h>
#include <epan/export_object.h>
#include <epan/follow.h>
#include <epan/prefs.h>
#include <epan/proto_data.h>
#include <epan/srt_table.h>
#include <epan/stat_tap_ui.h>
#include <epan/stats_tree.h>
#include <epan/tap.h>
#include <epan/tfs.h>
#include <epan/to_str.h>
#include <wiretap/wtap.h>
