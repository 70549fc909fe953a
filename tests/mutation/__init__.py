"""Are the tests sharp? Faults put into the rules one at a time: `python -m tests.mutation.mutate` says who noticed."""
