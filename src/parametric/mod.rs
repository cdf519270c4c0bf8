//! Any number of components: claims that hold in every unfolding of a pattern, proved by structural invariants.
//!
//! A [`SystemPattern`] is what all sizes of a system have in common; its [`Profiles`] say of every name where its
//! component is made.

mod pattern;
mod profile;
mod report;
pub mod search;
mod unfold;

pub use pattern::{
    ComponentMove, ComponentState, ComponentStateId, ComponentType, ComponentTypeId, GoalFormula,
    InteractionMember, MOST_STATES, MadeComponent, NameFormula, NeverClaim, PatternGoal,
    PatternInteraction, PatternMistake, PatternNameId, PatternPart, PatternPortId, PatternRule,
    PatternRuleId, RuleHead, RuleHeadId, StateSet, SystemPattern,
};
pub use profile::{
    NameOrigin, Profiles, Variant, VariantId, VariantInteraction, VariantMember, VariantNameId,
    VariantPart, VariantRule, VariantRuleId, profiles,
};
pub use report::{NameCount, NamePlace, PatternReport};
pub use unfold::{
    Forest, InstanceClaim, InstanceComponent, InstanceInteraction, PatternInstance, TreeId,
    Unfolding, UnfoldingNode, UnfoldingNodeId, Unfoldings,
};
