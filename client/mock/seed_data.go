package mock

// seeded is an account of a fresh database with what belongs to it.
type seeded struct {
	account      account
	instructions string
	keywords     []string
}

func seedAccounts() []seeded {
	identifier := func(s string) *fieldValue { return &fieldValue{identifierField, s} }
	return []seeded{
		{
			account: account{
				AccountName: "Harbor Dental", Phone: "555-0101", Email: "office@harbordental.example.com",
				FirstName: "Ana", LastName: "Silva", Address1: "12 Harbor Street", Address2: "Suite 4",
				City: "Portland", State: "OR", Postal: "97201", Country: "US", WebsiteURL: "https://harbordental.example.com",
				Identifier:      identifier("CRM-1001"),
				AccountManager:  &manager{new("Dana Reed"), new("dana@agency.example.com")},
				CampaignManager: &manager{new("Luis Ortega"), new("luis@agency.example.com")},
				Attributes:      []fieldValue{{"Industry", "Dental"}, {"Tier", "Gold"}},
			},
			instructions: "Mention free parking.",
			keywords:     []string{"dentist portland", "teeth whitening", "family dentist", "dental implants", "emergency dentist", "invisalign cost"},
		},
		{
			account: account{
				AccountName: "Müller & Söhne Plumbing", Phone: "555-0102", Email: "info@mueller.example.com",
				FirstName: "Jürgen", LastName: "Müller", Address1: "8 Canal Road", Address2: "",
				City: "Milwaukee", State: "WI", Postal: "53202", Country: "US", WebsiteURL: "https://mueller.example.com",
				Identifier:     identifier("CRM-1002"),
				AccountManager: &manager{new("Dana Reed"), new("dana@agency.example.com")},
				Attributes:     []fieldValue{{"Industry", "Plumbing"}},
			},
			keywords: []string{"plumber milwaukee", "drain cleaning", "water heater repair", "24/7 plumber", "pipe repair", "bathroom remodel"},
		},
		{
			account: account{
				AccountName: "Green Acres, Inc.", Phone: "555-0103", Email: "hello@greenacres.example.com",
				FirstName: "Mary", LastName: "O'Neil", Address1: "400 Farm Lane", Address2: "Building \"B\"",
				City: "Austin", State: "TX", Postal: "73301",
				Country:    "USA", // what the live service shows for some that were sent as US
				WebsiteURL: "https://greenacres.example.com", Identifier: identifier("CRM-1003"),
				Attributes: []fieldValue{{"Industry", "Landscaping"}, {"Region", "South, West"}},
			},
			instructions: "Never promise a date.\nCheck prices with the customer.",
			keywords:     []string{"lawn care austin", "landscaping near me", "garden design", "tree trimming", "sod installation", "irrigation repair"},
		},
		{
			account: account{
				AccountName: "Café Lumière", Phone: "555-0104", Email: "bonjour@lumiere.example.com",
				FirstName: "Élise", LastName: "Tremblay", Address1: "77 Rue Principale", Address2: "",
				City: "Montréal", State: "QC", Postal: "H2X 1Y4", Country: "CA", WebsiteURL: "https://lumiere.example.com",
				Identifier:      identifier("CRM-1004"),
				CampaignManager: &manager{new("Luis Ortega"), new("luis@agency.example.com")},
			},
			keywords: []string{"café montréal", "best brunch", "espresso bar", "croissant near me", "coffee catering", "wifi café"},
		},
		{
			account: account{
				AccountName: "Summit Roofing", Phone: "555-0105", Email: "jobs@summitroofing.example.com",
				FirstName: "Kofi", LastName: "Mensah", Address1: "1 Ridge Avenue", Address2: "Floor 2",
				City: "Denver", State: "CO", Postal: "80014", Country: "US", WebsiteURL: "https://summitroofing.example.com",
				Identifier: identifier("CRM-1005"), Deactivated: true,
			},
			keywords: []string{"roof repair denver", "metal roofing", "roof inspection", "gutter cleaning", "hail damage roof", "solar shingles"},
		},
		{
			account: account{
				AccountName: "Northside Vets", Phone: "555-0206", Email: "desk@northsidevets.example.com",
				FirstName: "Priya", LastName: "Nair", Address1: "9 North Way", Address2: "",
				City: "Seattle", State: "WA", Postal: "98101", Country: "US", WebsiteURL: "https://northsidevets.example.com",
				Identifier: identifier("NW-1"),
			},
			keywords: []string{"vet seattle", "cat vaccination", "dog dentist", "pet surgery", "puppy checkup", "emergency vet"},
		},
		{
			account: account{
				AccountName: "Bright Smile Studio", Phone: "555-0207", Email: "hi@brightsmile.example.com",
				FirstName: "Tom", LastName: "Baker", Address1: "30 Lake View", Address2: "Unit 7",
				City: "Chicago", State: "IL", Postal: "60601", Country: "US", WebsiteURL: "https://brightsmile.example.com",
				Identifier: identifier("NW-2"),
			},
			keywords: []string{"orthodontist chicago", "clear aligners", "braces cost", "teeth whitening", "kids dentist", "smile makeover"},
		},
	}
}
