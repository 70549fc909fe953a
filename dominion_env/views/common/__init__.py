"""What the views share: options, masks, spaces, pictures."""
