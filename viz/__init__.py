"""Pictures of boards, ownership and curves."""
