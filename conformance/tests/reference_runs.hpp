// Runs of one line that must be possible, or must not, written down from the protocol's description and from reports of
// bugs in other coherence protocols; in the order in which the nodes send.
#pragma once

#include <vector>

namespace eciscope::conformance::tests {

struct ReferenceRun {
    const char* profile;
    const char* steps;  ///< or messages
    bool is_legal;
    const char* why;
};

inline const std::vector<ReferenceRun> runs_of_steps{
    {"Full", "R12 RA2 V21 R12 RA2", true, "a shared copy comes and goes"},
    {"Full", "R13 RA3 V31 R13 RA3 V31d", true, "an exclusive line comes and goes, written or not"},
    {"Full", "R12 RA2 R23 RA3n V31d", true, "an upgrade needs no data where the copy is still there"},
    {"Full", "R12 RA2 R23 F21 A21 RA3 V31d", true, "and needs them where the home took the copy back meanwhile"},
    {"Full", "R12 RA2 R23 F21 A21 RA3n", false, "no data to a node without a copy"},
    {"Full", "R13 RA3 F31 A31 R12 RA2", true, "the home takes back a line that was not written"},
    {"Full", "R13 RA3 F31 A31d R12 RA2", true, "or was: the home does not see the remote write"},
    {"Full", "R13 RA3 F32 A32d F21 A21", true, "after an answer to shared the home takes back a shared copy"},
    {"Full", "R13 RA3 F32 A32d F31", false, "and not an exclusive line"},
    {"Full", "R13 RA3 F32 A32d V31d", false, "what is shared is not written back"},
    {"Full", "R13 RA3 F31 V31d A11 R12 RA2", true, "a write-back crosses the forward"},
    {"Full", "R12 RA2 F21 V21 A11 R12 RA2", true, "so does a drop"},
    {"Full", "R12 RA2 F21 V21 A21", false, "what was dropped is not dropped again by the answer"},
    {"Full", "R12 RA2 F21 V21 A11 V21", false, "one copy, one drop"},
    {"Full", "R12 RA2 F21 V21 R12 RA2", false, "a request waits until the forward is settled"},
    {"Full", "R13 RA3 V31d V31d", false, "one line, one write-back"},
    {"Full", "R12 F21 A11", false, "the home takes back nothing before it granted something"},
    {"Full", "R12 RA2 F21 A11 V21 R12 RA2", true, "a forward overtakes the grant: the line is used once and given up"},
    {"Full", "R13 RA3 F31 A11 V31d R12 RA2", true, "the same with an exclusive line"},
    {"Full", "R12 RA2 R23 RA3n F31 A22 V31 R12 RA2", true, "the same with an upgrade"},
    {"Full", "R12 RA2 F21 A11 R12", false, "who answered that there is no copy first gives up what is granted"},
    {"Full", "R12 RA2 R23 V21", false, "a copy is not dropped while its upgrade is under way"},
    {"Full", "R13 V31d", false, "nor is a line that was not granted"},
    {"Full", "R12 R12", false, "one request at a time"},
    {"Full", "R12 RA3", false, "no more than was asked for"},
    {"Full", "R13 RA2", false, "and no less"},
    {"Full", "RA2", false, "data never move unasked"},
    {"Full", "F21", false, "what nobody has is not taken back"},
    {"Full", "R13 RA3 F31 F32", false, "one forward at a time"},
    {"Full", "R13 RA3 F31 A31 A31", false, "one answer to each"},
    {"Full", "R13 RA3 V32", false, "only a ThunderX keeps a shared copy unasked"},
    {"ThunderX", "R13 RA3 V32d V21 R12 RA2", true, "down in two steps"},
    {"ThunderX", "R13 RA3 F31 V32 A21 R12 RA2", true, "the first of which crosses the forward"},
    {"CPU_initiator", "R13 RA3 V31d R13 RA3", true, "a remote that nobody disturbs"},
    {"CPU_initiator", "R12 RA2 F21", false, "this home takes nothing back"},
    {"Read_only", "R12 RA2 F21 A21 R12 RA2", true, "shared copies may be taken back"},
    {"Read_only", "R13", false, "there is nothing exclusive"},
    {"Read_only", "R12 RA3", false, "not even unasked"},
    {"Stateless", "R12 RA2 V21 R12 RA2", true, "every read is answered"},
    {"Stateless", "R12 RA2 F21", false, "who remembers nothing takes nothing back"},
    {"Simple_home", "R12 RA3 V31d", true, "every line is granted exclusive"},
    {"Simple_home", "R12 RA2", false, "and never shared"},
};

/// Messages by mnemonic; `0` behind one: no sub-line comes with it.
inline const std::vector<ReferenceRun> runs_of_messages{
    {"Full", "RLDD PSHA VICS RLDI PSHA", true, "two kinds of reads"},
    {"Full", "RLDX PEMD VICD RLDX PEMD VICC", true, "exclusive, given back with data and without"},
    {"Full", "RLDX PEMD VICD0 RLDD PSHA", true, "a victim without sub-lines brings nothing back"},
    {"Full", "RLDD PSHA RC2D_S PEMD0 VICD", true, "an upgrade without data"},
    {"Full", "RLDD PSHA RC2D_S SINV_H HAKD0 PEMD VICD", true, "an upgrade that lost its copy"},
    {"Full", "RLDD PSHA RC2D_S SINV_H HAKS PEMD0", false, "it needs data"},
    {"Full", "RLDD PSHA SINV VICS HAKI RLDD", true, "there was no copy any more"},
    {"Full", "RLDD PSHA SINV HAKI VICS RLDD", true, "there was no copy yet"},
    {"Full", "RLDD PSHA SINV HAKI RLDD", false, "a copy that comes late is given up first"},
    {"Full", "RLDX PEMD FEVX_EH VICDHI RLDD", true, "a modified line taken back"},
    {"Full", "RLDX PEMD FLDRS_EH HAKD SINV HAKS RLDD", true, "shared on demand, then taken back"},
    {"Full", "RLDX PEMD FLDRS_EH HAKN_S VICS", true, "the same, the copy dropped unasked"},
    {"Full", "RLDX PEMD FLDX_E VICD HAKV RLDD", true, "a write-back crosses the forward"},
    {"Full", "RLDD PEMD", false, "no more than was asked for"},
    {"Full", "RLDX PSHA", false, "and no less"},
    {"Full", "RLDX PEMD0", false, "an exclusive line comes with data"},
    {"Simple_home", "RLDD PEMD VICC", true, "a simple home grants every line exclusive"},
    {"Simple_home", "RLDX PEMD0 VICD", true, "without data where none was asked for"},
};

}  // namespace eciscope::conformance::tests
