// Specifications with one rule changed.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace eciscope::conformance::tests {

struct Mutant {
    const char* name;
    const char* file;
    std::vector<std::pair<std::string, std::string>> edits;  ///< what stands there exactly once, what shall stand there

    friend void PrintTo(const Mutant& mutant, std::ostream* out) { *out << mutant.name; }
};

inline const char* const coherence = "coherence.sail";
inline const char* const meaning = "meaning.sail";

inline const std::vector<Mutant> mutants{
    // Requests and grants
    {"RequestIsNotHeldWhileTheDirectoryShowsACopy",
     coherence,
     {{"is_settled(h) & h.directory == Level_1 & not_bool(h.early_drop) &",
       "is_settled(h) & not_bool(h.early_drop) &"}}},
    {"UnsettledHomeGrants",
     coherence,
     {{"is_settled(h) & h.directory == Level_1 & not_bool(h.early_drop) &",
       "h.directory == Level_1 & not_bool(h.early_drop) &"}}},
    {"UnsettledHomeGrantsUpgrade",
     coherence,
     {{"not_bool(is_settled(h) & compatible(Level_3, others))", "not_bool(compatible(Level_3, others))"}}},
    {"UpgradeWithoutDataAfterTheCopyWasTakenBack",
     coherence,
     {{"Level_1 => after_grant(h, Level_3, RA3),", "Level_1 => after_grant(h, Level_3, RA3n),"}}},
    {"UpgradeLeavesTheDirectoryShared",
     coherence,
     {{"after_grant(h, Level_3, RA3n)", "after_grant(h, Level_2, RA3n)"}}},
    {"SharedGrantIsNotRecorded", coherence, {{"after_grant(h, Level_2, RA2)", "after_grant(h, Level_1, RA2)"}}},
    {"ReadIsHeldForEver",
     coherence,
     {{"if may_fill(h, Level_2, others) then after_grant(h, Level_2, RA2) else Holds()", "Holds()"}}},
    {"ReadOnlyHomeGrantsExclusive",
     coherence,
     {{"Read_only     => struct { exclusive = false, voluntary_shared = false, home_invalidates = true, home_shares = "
       "false,\n"
       "                            home_remembers = true, grants_exclusive = false }",
       "Read_only     => struct { exclusive = false, voluntary_shared = false, home_invalidates = true, home_shares = "
       "false,\n"
       "                            home_remembers = true, grants_exclusive = true }"}}},
    {"StatelessHomeReadsAndWrites",
     coherence,
     {{"Stateless     => struct { exclusive = false,", "Stateless     => struct { exclusive = true,"},
      {"  R12 => home_sends(h, RA2),\n  V21 => home_goes(h),",
       "  R12 => home_sends(h, RA2),\n  R13 => home_sends(h, RA3),\n  R23 => home_sends(h, RA3n),\n  V21 => "
       "home_goes(h),\n"
       "  V31 => home_goes(h),\n  V31d => home_goes(h),"}}},
    {"StatelessHomeWritesItsMemory",
     coherence,
     {{"= sub.home_remembers & h.directory == Level_1 & is_settled(h)", "= h.directory == Level_1 & is_settled(h)"}}},
    {"HomeWritesWhatIsShared",
     coherence,
     {{"sub.home_remembers & h.directory == Level_1", "sub.home_remembers & h.directory == Level_2"}}},
    // Voluntary downgrades
    {"EarlyDropIsLost",
     coherence,
     {{"answer = h.answer, early_drop = true }))", "answer = h.answer, early_drop = false }))"}}},
    {"EarlyDropIsNotExpected",
     coherence,
     {{"Level_3 => home_goes(settle(struct { directory = Level_3, pending = h.pending, answer = h.answer, early_drop = "
       "true }))",
       "Level_3 => Unspecified()"}}},
    {"EarlyDropCountsAtOnce", coherence, {{"if h.early_drop & h.directory == Level_2", "if h.early_drop"}}},
    {"KeepingSharedCleanCountsAsGivingUp",
     coherence,
     {{"V32  => if h.directory == Level_3 then after_downgrade(h, Level_2)",
       "V32  => if h.directory == Level_3 then after_downgrade(h, Level_1)"}}},
    {"KeepingSharedDirtyChangesNothing",
     coherence,
     {{"V32d => if h.directory == Level_3 then after_downgrade(h, Level_2)",
       "V32d => if h.directory == Level_3 then after_downgrade(h, Level_3)"}}},
    {"WriteBackLeavesTheDirectoryShared",
     coherence,
     {{"V31d => if h.directory == Level_3 then after_downgrade(h, Level_1)",
       "V31d => if h.directory == Level_3 then after_downgrade(h, Level_2)"}}},
    {"WriteBackIsLost",
     coherence,
     {{"(R_M, Wish_give_up)     => remote_sends(R_I, V31d)", "(R_M, Wish_give_up)     => remote_sends(R_I, V31)"}}},
    {"WriteBackBringsNoData", coherence, {{"V31d => true, V32d => true", "V31d => false, V32d => true"}}},
    {"DropIsKeptByTheRemote",
     coherence,
     {{"(R_S, Wish_give_up)     => remote_sends(R_I, V21)", "(R_S, Wish_give_up)     => remote_sends(R_S, V21)"}}},
    // Forwards and answers
    {"TwoForwardsPending", coherence, {{"if allowed & is_settled(h)", "if allowed"}}},
    {"ForwardToWhoHasNothing",
     coherence,
     {{"(F21, Level_2) => sub.home_invalidates,",
       "(F21, Level_1) => sub.home_invalidates, (F21, Level_2) => sub.home_invalidates,"}}},
    {"ForwardForExclusiveToASharer",
     coherence,
     {{"(F31, Level_3) => sub.home_invalidates",
       "(F31, Level_2) => sub.home_invalidates, (F31, Level_3) => sub.home_invalidates"}}},
    {"SettlesOnlyOnce",
     coherence,
     {{"= settle_forward(settle_drop(settle_forward(h)))", "= settle_drop(settle_forward(h))"}}},
    {"SettlesBeforeTheDirectoryAgrees", coherence, {{"if at_most(h.directory, answered_from(a))", "if true"}}},
    {"AnswerThatNothingWasThereComesFromShared",
     coherence,
     {{"A32 => Level_3, A32d => Level_3, _ => Level_1", "A32 => Level_3, A32d => Level_3, _ => Level_2"}}},
    {"AnswerToSharedCountsAsGivenUp",
     coherence,
     {{"A22 => Level_2, A32 => Level_2, A32d => Level_2, _ => Level_1",
       "A22 => Level_2, A32 => Level_1, A32d => Level_2, _ => Level_1"}}},
    {"AnswerBringsNoData", coherence, {{"A31d => true, A32d => true", "A31d => false, A32d => true"}}},
    {"AnswerWithoutTheWrittenData",
     coherence,
     {{"(R_M, F31)     => remote_sends(R_I, A31d)", "(R_M, F31)     => remote_sends(R_I, A31)"}}},
    {"ShareIsAnsweredAsInvalidate",
     coherence,
     {{"(R_E, F32)     => remote_sends(R_S, A32)", "(R_E, F32)     => remote_sends(R_S, A31)"}}},
    {"NobodyAnswersForwardsForWhatIsGone",
     coherence,
     {{"(R_I, F31)     => remote_sends(R_I, A11)", "(R_I, F31)     => None()"}}},
    {"AnswerIsHeldUntilTheGrant",
     coherence,
     {{"(R_IS, F21)    => remote_sends(R_IS_I, A11)", "(R_IS, F21)    => remote_goes(R_IS_I)"}}},
    {"AnswerWithoutGivingUp",
     coherence,
     {{"(R_IS, F21)    => remote_sends(R_IS_I, A11)", "(R_IS, F21)    => remote_sends(R_IS, A11)"}}},
    {"AnswerOfAnUpgradeWithoutGivingUp",
     coherence,
     {{"(R_SE, F31)    => remote_sends(R_SE_I, A22)", "(R_SE, F31)    => remote_sends(R_SE, A22)"}}},
    {"UpgradeForgetsThatItsCopyIsGone",
     coherence,
     {{"(R_SE, F21)    => remote_sends(R_IE, A21)", "(R_SE, F21)    => remote_sends(R_SE, A21)"}}},
    {"PromiseOfADropIsForgotten",
     coherence,
     {{"(R_IS_I, RA2)  => remote_sends(R_I, V21)", "(R_IS_I, RA2)  => remote_goes(R_S)"}}},
    {"PromisedWriteBackIsClean",
     coherence,
     {{"(R_IE_I, RA3)  => remote_sends(R_I, if wrote then V31d else V31)",
       "(R_IE_I, RA3)  => remote_sends(R_I, V31)"}}},
    // The remote on its own
    {"SharedCopyIsWritten",
     coherence,
     {{"(R_E, Wish_store)       => remote_goes(R_M),",
       "(R_E, Wish_store)       => remote_goes(R_M),\n  (R_S, Wish_store)       => remote_goes(R_M),"}}},
    {"AsksTwice",
     coherence,
     {{"(R_I, Wish_read)        => remote_sends(R_IS, R12),",
       "(R_I, Wish_read)        => remote_sends(R_IS, R12),\n  (R_IS, Wish_read)       => remote_sends(R_IS, R12),"}}},
    {"DropsWhileItWaits",
     coherence,
     {{"(R_S, Wish_give_up)     => remote_sends(R_I, V21),",
       "(R_S, Wish_give_up)     => remote_sends(R_I, V21),\n  (R_SE, Wish_give_up)    => remote_sends(R_I, V21),"}}},
    {"UpgradeWithoutDataFillsAnEmptyLine",
     coherence,
     {{"(R_IE, RA3)    => remote_goes(R_E),",
       "(R_IE, RA3)    => remote_goes(R_E),\n  (R_IE, RA3n)   => remote_goes(R_E),"}}},
    {"SharedGrantBringsNoData", coherence, {{"RA2 => true, RA3 => true,", "RA2 => false, RA3 => true,"}}},
    {"ReadFillsExclusive", coherence, {{"(R_IS, RA2)    => remote_goes(R_S)", "(R_IS, RA2)    => remote_goes(R_E)"}}},
    {"HomeTellsReadersApart",
     coherence,
     {{"= a == b | may_write(a) & may_write(b)", "= a == b | may_read(a) & may_read(b)"}}},
    // Subsets
    {"FullHomeNeverShares",
     coherence,
     {{"Full          => struct { exclusive = true, voluntary_shared = false, home_invalidates = true, home_shares = "
       "true,",
       "Full          => struct { exclusive = true, voluntary_shared = false, home_invalidates = true, home_shares = "
       "false,"}}},
    // Messages
    {"PshaGrantsExclusive", meaning, {{"PSHA => s == RA2", "PSHA => s == RA3"}}},
    {"PemdWithoutDataFills",
     meaning,
     {{"else s == RA3n | sub.grants_exclusive & s == RA3", "else s == RA3n | s == RA3"}}},
    {"HakiDropsACopy", meaning, {{"HAKI   => s == A11", "HAKI   => s == A21"}}},
    {"HaksKeepsTheCopy", meaning, {{"HAKS   => s == A21 | s == A22", "HAKS   => s == A22"}}},
    {"HakvIsNoAnswer", meaning, {{"HAKV   => s == A11", "HAKV   => false"}}},
    {"VicsGivesUpExclusive", meaning, {{"VICS => s == V21", "VICS => s == V31"}}},
    {"UpgradeIsARead", meaning, {{"RC2D_S => s == R23", "RC2D_S => s == R12"}}},
    {"InvalidationAsksForExclusive", meaning, {{"SINV     => s == F21", "SINV     => s == F31"}}},
    {"EvictionSharesOnly", meaning, {{"FEVX_EH  => s == F31", "FEVX_EH  => s == F32"}}},
};

/// Changes that make no difference between two nodes: the directory never shows level 1 while a drop is early, and a
/// tap does not see whether a line that comes back was written.
inline const std::vector<Mutant> equivalent_mutants{
    {"FillIgnoresEarlyDrop",
     coherence,
     {{"h.directory == Level_1 & not_bool(h.early_drop) & compatible(wanted, others)",
       "h.directory == Level_1 & compatible(wanted, others)"}}},
    {"EmptyVictimBringsData", meaning, {{"if r.dmask == 0b0000 then s == V31 else s == V31d", "s == V31d"}}},
};

}  // namespace eciscope::conformance::tests
