"""Facts about an original: as they are reported, and of the system itself."""


def reported(facts):
    return (
        facts.states,
        facts.transitions,
        facts.deadlocks,
        facts.nondeterministic_states,
        facts.components,
        facts.tau_components,
        facts.tau_cycle_states,
        facts.divergent_states,
        {label: count for label, count in facts.label_counts.items() if count},
    )


def counted(system):
    """The same facts of a system."""
    return (
        system.state_count,
        system.transition_count,
        system.deadlock_states().count(),
        system.nondeterministic_states().count(),
        system.components(),
        system.components(internal=True).cyclic,
        system.tau_cycle_states().count(),
        system.divergent_states().count(),
        {label: count for label, count in system.label_counts().items() if count},
    )
