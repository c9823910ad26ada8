"""Client configs that a cluster holds for its clients (KIP-649): where they are stored, and how they are changed."""
