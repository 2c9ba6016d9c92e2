// generate_structured
