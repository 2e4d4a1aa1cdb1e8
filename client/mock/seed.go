package mock

import (
	"time"

	"reseller/client/mock/database"
)

// seedAccounts gives reseller 1 the accounts 1 to 5 and reseller 2 the accounts 6 and 7,
// each with a campaign and six keywords.
func seedAccounts(tx *database.Tx) error {
	for i, a := range seededAccounts() {
		reseller := int64(1)
		if i >= 5 {
			reseller = 2
		}
		if err := seedAccount(tx, reseller, a); err != nil {
			return err
		}
	}
	return nil
}

func seedAccount(tx *database.Tx, reseller int64, s seeded) error {
	id := accountTable.NextID(tx)
	s.account.ID = id
	start := time.Date(2024, time.Month(id), 6, 19, 9, 14, 0, time.UTC)
	var err error
	if s.account.Campaign, err = addCampaign(tx, reseller, id, s.account.AccountName, start); err != nil {
		return err
	}
	if err := accountTable.Put(tx, s.account, reseller, id); err != nil {
		return err
	}
	if err := seedCampaign(tx, reseller, &s); err != nil {
		return err
	}
	keywords := make([]keyword, len(s.keywords))
	for i, text := range s.keywords {
		k := keyword{AccountID: id, CampaignID: s.account.Campaign, Keyword: text, Type: "target", Status: 1}
		if i%3 == 2 {
			k.Type = "interest"
		}
		if i == int(id)%6 {
			k.Status = 0
		}
		keywords[i] = k
	}
	return addKeywords(tx, reseller, keywords)
}

// seedCampaign sets the numbers of an account's campaign, which differ from campaign to
// campaign, and stores its notes. Every fifth campaign gets a plan.
func seedCampaign(tx *database.Tx, reseller int64, s *seeded) error {
	id := s.account.Campaign
	var p campaign
	if _, err := campaignTable.Get(tx, &p, reseller, id); err != nil {
		return err
	}
	p.setStage(int(id-101)%5 + 1)
	p.MonthlyBudget, p.Discount = 150.5+float64(id-101)*75, float64(id%3)*5
	p.BudgetInvoiceStatus = []string{"paid", "pending", "invoiced"}[id%3]
	p.DeclineGMB, p.DeclineReviews, p.DeclineBlog = int(id%2), int(id%3)/2, int(id%5)/4
	if id%2 == 1 { // the live service shows the status of some campaigns only
		p.Status = new(1)
		if s.account.Deactivated {
			p.Status = new(0)
		}
	}
	if err := campaignTable.Put(tx, p, reseller, id); err != nil {
		return err
	}
	n := notes{id, "Write for " + s.account.AccountName + " in a friendly tone.", s.instructions}
	if err := notesTable.Put(tx, n, reseller, id); err != nil {
		return err
	}
	if id%5 != 1 {
		return nil
	}
	return addPlan(tx, reseller, id, 1, time.Date(2024, 1, 6, 0, 0, 0, 0, time.UTC))
}

// seeded is an account of a new database, with the additional instructions and the
// keywords of its campaign.
type seeded struct {
	account      account
	instructions string
	keywords     []string
}

func seededAccounts() []seeded {
	identifier := func(s string) *fieldValue { return &fieldValue{identifierField, s} }
	return []seeded{
		{
			account: account{Identifier: identifier("CRM-1001"), accountFields: accountFields{
				AccountName: "Harbor Dental", Phone: "555-0101", Email: "office@harbordental.example.com",
				FirstName: "Ana", LastName: "Silva", Address1: "12 Harbor Street", Address2: "Suite 4",
				City: "Portland", State: "OR", Postal: "97201", Country: "US", WebsiteURL: "https://harbordental.example.com",
				AccountManager:  &manager{new("Dana Reed"), new("dana@agency.example.com")},
				CampaignManager: &manager{new("Luis Ortega"), new("luis@agency.example.com")},
				Attributes:      []fieldValue{{"Industry", "Dental"}, {"Tier", "Gold"}},
			}},
			instructions: "Mention free parking.",
			keywords:     []string{"dentist portland", "teeth whitening", "family dentist", "dental implants", "emergency dentist", "invisalign cost"},
		},
		{
			account: account{Identifier: identifier("CRM-1002"), accountFields: accountFields{
				AccountName: "Müller & Söhne Plumbing", Phone: "555-0102", Email: "info@mueller.example.com",
				FirstName: "Jürgen", LastName: "Müller", Address1: "8 Canal Road", Address2: "",
				City: "Milwaukee", State: "WI", Postal: "53202", Country: "US", WebsiteURL: "https://mueller.example.com",
				AccountManager: &manager{new("Dana Reed"), new("dana@agency.example.com")},
				Attributes:     []fieldValue{{"Industry", "Plumbing"}},
			}},
			keywords: []string{"plumber milwaukee", "drain cleaning", "water heater repair", "24/7 plumber", "pipe repair", "bathroom remodel"},
		},
		{
			account: account{Identifier: identifier("CRM-1003"), accountFields: accountFields{
				AccountName: "Green Acres, Inc.", Phone: "555-0103", Email: "hello@greenacres.example.com",
				FirstName: "Mary", LastName: "O'Neil", Address1: "400 Farm Lane", Address2: "Building \"B\"",
				City: "Austin", State: "TX", Postal: "73301",
				Country:    "USA", // the live service shows USA for some accounts that were sent as US
				WebsiteURL: "https://greenacres.example.com",
				Attributes: []fieldValue{{"Industry", "Landscaping"}, {"Region", "South, West"}},
			}},
			instructions: "Never promise a date.\nCheck prices with the customer.",
			keywords:     []string{"lawn care austin", "landscaping near me", "garden design", "tree trimming", "sod installation", "irrigation repair"},
		},
		{
			account: account{Identifier: identifier("CRM-1004"), accountFields: accountFields{
				AccountName: "Café Lumière", Phone: "555-0104", Email: "bonjour@lumiere.example.com",
				FirstName: "Élise", LastName: "Tremblay", Address1: "77 Rue Principale", Address2: "",
				City: "Montréal", State: "QC", Postal: "H2X 1Y4", Country: "CA", WebsiteURL: "https://lumiere.example.com",
				CampaignManager: &manager{new("Luis Ortega"), new("luis@agency.example.com")},
			}},
			keywords: []string{"café montréal", "best brunch", "espresso bar", "croissant near me", "coffee catering", "wifi café"},
		},
		{
			account: account{Identifier: identifier("CRM-1005"), Deactivated: true, accountFields: accountFields{
				AccountName: "Summit Roofing", Phone: "555-0105", Email: "jobs@summitroofing.example.com",
				FirstName: "Kofi", LastName: "Mensah", Address1: "1 Ridge Avenue", Address2: "Floor 2",
				City: "Denver", State: "CO", Postal: "80014", Country: "US", WebsiteURL: "https://summitroofing.example.com",
			}},
			keywords: []string{"roof repair denver", "metal roofing", "roof inspection", "gutter cleaning", "hail damage roof", "solar shingles"},
		},
		{
			account: account{Identifier: identifier("NW-1"), accountFields: accountFields{
				AccountName: "Northside Vets", Phone: "555-0206", Email: "desk@northsidevets.example.com",
				FirstName: "Priya", LastName: "Nair", Address1: "9 North Way", Address2: "",
				City: "Seattle", State: "WA", Postal: "98101", Country: "US", WebsiteURL: "https://northsidevets.example.com",
			}},
			keywords: []string{"vet seattle", "cat vaccination", "dog dentist", "pet surgery", "puppy checkup", "emergency vet"},
		},
		{
			account: account{Identifier: identifier("NW-2"), accountFields: accountFields{
				AccountName: "Bright Smile Studio", Phone: "555-0207", Email: "hi@brightsmile.example.com",
				FirstName: "Tom", LastName: "Baker", Address1: "30 Lake View", Address2: "Unit 7",
				City: "Chicago", State: "IL", Postal: "60601", Country: "US", WebsiteURL: "https://brightsmile.example.com",
			}},
			keywords: []string{"orthodontist chicago", "clear aligners", "braces cost", "teeth whitening", "kids dentist", "smile makeover"},
		},
	}
}
