package consistency

// freightChecks are what holds of freight templates, whatever their audit records say.
func freightChecks() []check {
	return []check{
		must("name", "t.name <> ''", "a name"),
		among("charge", "freight_charges"),
		must("piece_weight", "(t.charge = @by_weight) = (t.piece_weight > 0)", "grams in a template by weight"),
		must("rules", "1 = (SELECT COUNT(*) FROM freight_rule r WHERE r.freight_id = t.id AND r.regions = '[]')",
			"one rule without regions").saying("t.id"),
	}
}

func freightRuleChecks() []check {
	return []check{
		must("regions", "JSON_VALID(t.regions)", "a list"),
		must("regions", "NOT EXISTS (SELECT 1 FROM freight_rule o WHERE o.freight_id = t.freight_id AND o.id <> t.id "+
			"AND o.regions = t.regions)", "regions that no other rule names"),
		must("first_units", "t.first_units >= 1", "1 or more"), must("further_units", "t.further_units >= 1", "1 or more"),
		must("first_price", "t.first_price >= 0", "0.00 or more"),
		must("further_price", "t.further_price >= 0", "0.00 or more"),
		must("free_from", "t.free_from >= 0", "0.00 or more"),
	}
}
