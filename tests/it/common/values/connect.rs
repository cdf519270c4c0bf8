//! What connectors stand for: sets of ports that act together.

use super::eval::Value;
use super::{Joined, Joint, Member, Pattern, Place, Wrap};

/// A port, as a connector names it.
#[derive(Clone, Copy, Debug)]
pub struct Port<'m> {
    pub place: &'m Place,
    pub action: &'m str,
    pub args: &'m [Pattern],
}

impl Port<'_> {
    pub fn member(&self) -> (Place, Member) {
        let member = Member::Act(Wrap::Plain, self.action.to_owned(), self.args.to_vec());
        (self.place.clone(), member)
    }
}

/// All sets of ports that can act together: all of them where there is no trigger; else some, and a trigger among
/// these.
pub fn interactions(joints: &[Joint]) -> Vec<Vec<Port<'_>>> {
    let triggers = joints.iter().any(|joint| joint.trigger);
    let mut all: Vec<(bool, Vec<Port<'_>>)> = vec![(!triggers, Vec::new())];
    for joint in joints {
        let mut longer = Vec::new();
        for (started, ports) in &all {
            if triggers {
                longer.push((*started, ports.clone()));
            }
            for more in of_joint(joint) {
                longer.push((*started || joint.trigger, [ports.clone(), more].concat()));
            }
        }
        all = longer;
    }
    all.into_iter().filter(|(started, _)| *started).map(|(_, ports)| ports).collect()
}

fn of_joint(joint: &Joint) -> Vec<Vec<Port<'_>>> {
    match &joint.what {
        Joined::Port(place, action, args) => vec![vec![Port { place, action, args }]],
        Joined::Group(joints) => interactions(joints),
    }
}

/// The name that priorities know an action by.
pub fn name_of(action: &Value) -> Option<&str> {
    match action {
        Value::Act(name, _) => Some(name),
        Value::Wrapped(_, inside) => name_of(inside),
        _ => None,
    }
}
