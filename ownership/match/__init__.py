"""Games between players, and what they prove about their strength."""
