package bulk

// Summary counts what became of the rows of a job, in all its runs. Rows that
// a run which was stopped did not come to are in Rows only.
type Summary struct {
	Job        string  `json:"job"`
	Operation  string  `json:"operation"`
	Rows       int     `json:"rows"`
	Sent       int     `json:"sent"`
	Present    int     `json:"present"`
	Differs    int     `json:"differs"`
	Duplicates int     `json:"duplicates"`
	Invalid    int     `json:"invalid"`
	Refused    int     `json:"refused"`
	Unknown    int     `json:"unknown"`
	Requests   int     `json:"requests"`
	Retries    int     `json:"retries"`
	Seconds    float64 `json:"seconds"`

	Partly        bool `json:"-"` // of rows that were refused, some steps are in
	Blind         bool `json:"-"` // nothing shows that what is unknown is not in
	RefusedStatus int  `json:"-"` // the HTTP status of the last refusal
	Rejected      bool `json:"-"` // a rejects file was written
	Told          bool `json:"-"` // a results file was written
}
