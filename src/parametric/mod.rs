//! Any number of components: claims that hold in every unfolding of a pattern, proved by structural invariants.
//!
//! A [`SystemPattern`] is what all sizes of a system have in common; its [`Profiles`] say of every name where its
//! component is made.

pub mod bad;
mod bits;
mod certificate;
mod chosen;
pub mod closed;
pub mod counted;
mod explained;
mod few;
mod inclusion;
pub mod meeting;
mod mona;
mod naive;
mod oracle;
mod pattern;
mod profile;
mod recheck;
mod repeated;
mod report;
pub mod search;
pub mod slots;
mod strategy;
mod trim;
mod unfold;
pub mod values;

pub use bits::StateBits;
pub use certificate::{
    CERTIFICATE_VERSION, CertifiedEntry, CertifiedFact, CertifiedSet, CertifiedStates,
    CertifiedVariant, SizesCertificate, certificate,
};
pub use explained::{InstanceInvariant, instance_invariants};
pub use few::WhichSets;
pub use inclusion::{
    CounterModel, Entry, EntryId, ExcludedBy, Excluders, Included, InclusionLimits, Saturated,
    WhyOpen, included,
};
pub use mona::{NoFormula, mona};
pub use oracle::{MonaAnswer, MonaProgram, MonaSaid, mona_answer, plain_answer};
pub use pattern::{
    ComponentMove, ComponentState, ComponentStateId, ComponentType, ComponentTypeId, GoalFormula,
    InteractionMember, MOST_SEATS, MOST_STATES, MadeComponent, Meeting, MeetingId, MeetingSlot,
    NameFormula, NeverClaim, PatternGoal, PatternInteraction, PatternJoin, PatternMistake,
    PatternNameId, PatternPart, PatternPortId, PatternRule, PatternRuleId, RuleHead, RuleHeadId,
    StateSet, SystemPattern,
};
pub use profile::{
    NameOrigin, Profiles, Variant, VariantId, VariantInteraction, VariantJoin, VariantMember,
    VariantNameId, VariantPart, VariantRule, VariantRuleId, profiles,
};
pub use recheck::{WrongCertificate, recheck};
pub use repeated::in_words;
pub use report::{NameCount, NamePlace, PatternReport};
pub use strategy::{
    InstanceFound, InstanceSearch, PlainSearch, SizesEngine, SizesLimits, SizesVerdict, decide,
};
pub use trim::{CountedTable, CountedTransition};
pub use unfold::{
    Forest, InstanceClaim, InstanceComponent, InstanceInteraction, PatternInstance, TreeId,
    Unfolding, UnfoldingNode, UnfoldingNodeId, Unfoldings,
};
pub use values::InvariantFamily;
