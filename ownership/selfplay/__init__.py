"""Games that leave their record by a bad, unlikely or random move and are played to the end."""
