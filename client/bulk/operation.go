package bulk

import (
	"cmp"
	"context"
	"time"

	"reseller/client/bulk/decode"
	"reseller/client/bulk/job"
	"reseller/client/bulk/rows"
	"reseller/client/phrase"
	"reseller/client/record"
	"reseller/client/safetext"
	"reseller/client/transport"
)

// An Operation sends rows to a service, and reads back which rows the service holds.
type Operation struct {
	Name     string
	MaxBatch int      // the maximum number of rows of a call; 0 for no limit
	Key      []string // the fields that must be equal in all rows of a call
	// Breaker is the noun for what Key identifies, such as "campaign". If it is set, the
	// circuit breaker of a key opens when the service refuses many single rows with that
	// key and the same message.
	Breaker string
	// Creates names what the operation creates, such as "keyword", in operations whose
	// rows the service lists. Rows with the same identity, of this operation or of another
	// with the same name, create the same thing: a row that one job has sent counts as present in
	// the others, even if the list does not show it yet.
	Creates string
	// Idempotent says that a row which is sent twice has the same effect as one that is
	// sent once, so that no witness is needed before a row is sent again.
	Idempotent bool
	// Changes says that rows change records that exist, so that a load that goes on compares those again that it has sent.
	Changes bool
	// Key of a record: the field with the id of the record that a row changes, and that Converge changes; and what such a change
	// sets that the row does not say.
	Record  string
	Sets    rows.Value
	Results []string // the fields of a row that the service sets, for the results file
	// Send returns the call that sends rows.
	Send func(group []rows.Row) Call
	// Encode returns an encoder for the rows of one call. If it is nil, copies of the rows are collected for Send.
	Encode func() BatchEncoder
	// Recall returns the outcome of a row that is known from earlier loads, or known as false. A row
	// that is Present or Unknown is not sent. One that is Absent may be sent even if a
	// Step.Guard does not allow it. Recall may be nil.
	Recall func(ctx context.Context, row *rows.Row) (out Outcome, known bool, err error)

	// Snapshot reads which rows the service holds. It is nil if the service can't be asked.
	Snapshot func(ctx context.Context, r SnapshotRequest) (Snapshot, error)
	ReadBack ReadBackMode
	// Converge returns a call that changes records of the service. Each of the rows is a
	// record that differs: the call gives it the content of the row. It may be nil.
	Converge func(rows []rows.Row) Call

	withoutIDs    bool // the ids of existing records are needed neither for results nor for Converge
	countInactive bool // a list counts records that are not in force like others
}

// A ReadBackMode says how a snapshot reads the service, and what it can prove.
type ReadBackMode uint8

const (
	ReadBackList     ReadBackMode = iota // a snapshot is one list of all records
	ReadBackPerRow                       // a snapshot reads one record for each row that is looked up
	ReadBackPresence                     // like ReadBackPerRow, but a snapshot never proves that a row is absent
)

// writes returns what the rows write, by which other jobs find them: see job.Identities. It is empty if they need not.
func (op *Operation) writes() string {
	if op.Changes {
		return op.Record
	}
	return op.Creates
}

func (op *Operation) perRow() bool { return op.ReadBack != ReadBackList }

// Unverifiable reports whether no snapshot can prove that a row is absent. Rows with an
// unknown outcome are then sent again only with Options.ResendUnknown.
func (op *Operation) Unverifiable() bool {
	return op.Snapshot == nil || op.ReadBack == ReadBackPresence
}

// A Step is one of several writes that each row of a job needs, or the only one. The later steps of a row are sent only if
// its first step has succeeded.
type Step struct {
	Operation
	Label string // the name of the step, such as "credentials"; empty in a load that writes the rows themselves
	// Items returns the items that the step writes for a row: none, one or several. It must
	// return the same number of items each time it is called for a row. If it is nil, the step is the only one, and writes
	// the rows themselves.
	Items    func(row rows.Row) []rows.Values
	Identity rows.Identity // the identity of an item
	// ItemLabel returns the name of an item, for the reasons of a rejected row. It may be
	// nil.
	ItemLabel func(rows.Values) string
	// Guard returns Absent if the pending items of a row may be sent, and otherwise the
	// outcome that they get without being sent. If it is nil, all items may be sent. If it lets
	// no item of the step pass, the service is not read for the step either.
	Guard func(row int) Outcome
	// Recalls reports whether Operation.Recall is asked for the items of a row. If it is nil, Recall is asked for all.
	Recalls func(row int) bool
	// Resends reports whether the items of a row that earlier runs sent or found are sent again, since the service holds
	// something else by now. If it is nil, none is.
	Resends func(row int) bool
	// RetriesRefused makes the items pending that earlier runs have refused.
	RetriesRefused bool
	// After is called with the result of the step for each row, and may add fields to it.
	// The later steps of the rows that it returns, with the reason, are not sent in this run. After may be nil.
	After func(ctx context.Context, results []StepResult) (blocked map[int]string, err error)
	// Held returns what the results show of a row in place of its texts, of the first step for all of them. state returns the state
	// of an item of a step, StatePresent if the row has none. Held may be nil.
	Held func(row rows.Row, state func(step string, item int) job.State) rows.Texts
	// NonIdempotent are fields that the rejects file leaves out if the step succeeded,
	// since sending them again would write them twice.
	NonIdempotent []string
	// PresentWord is the word of the results file for items that are present; empty for "present".
	PresentWord   string
	RenameResults map[string]string // from names in Results to columns of the results file
}

// A StepResult is the state of a row after a step.
type StepResult struct {
	State  string
	Fields record.Record // the fields that the service set
}

// Rows returns the steps of a load that writes the rows themselves with an operation.
func Rows(op Operation) []Step { return []Step{{Operation: op}} }

// A BatchEncoder encodes the rows of one call.
type BatchEncoder interface {
	Add(row *rows.Row) // the row is valid until Add returns
	Size() int         // returns about how much memory the rows take
	// Save appends the rows to b, from which Load of another encoder adds them.
	Save(b []byte) []byte
	Load(saved []byte)
	Call() Call // returns the call of all rows
	// The encoder must not be used after Save or Call.
}

// A Call sends a batch. It returns either one outcome for each row, in the order of the
// rows, or one outcome for all rows. An error is the outcome of all rows. The call must
// run onSend just before it writes the request, usually as client.Call.OnSend: onSend
// records that the batch is in flight. If ctx ends after that, the call must still wait
// for the response.
type Call func(ctx context.Context, onSend func() error) ([]Outcome, error)

// A rowsEncoder collects copies of rows.
type rowsEncoder struct {
	rows.Arena
	send func([]rows.Row) Call
}

func (e *rowsEncoder) Save(b []byte) []byte { return e.AppendTo(b) }

func (e *rowsEncoder) Call() Call { return e.send(e.Rows) }

// A SnapshotRequest says for what Operation.Snapshot reads the service.
type SnapshotRequest struct {
	DryRun      bool  // Outcome.Title and Outcome.Changes are wanted
	Reconciling bool  // rows have an unknown outcome, so they must be compared even if a flag says to send all rows
	Verifying   bool  // the rows were acknowledged, so a reading that shows them shows all that was changed before
	NewFrom     int64 // records of the list with this id, or a larger one, are new; 0 if none is
	// Fault is nil unless rows are checked: Operation.Snapshot may then set it to a function that returns the fault of a row that
	// must not be sent, by what the snapshot shows.
	Fault *func(row *rows.Row) (rows.Fault, error)
	Rows  *rows.Source
	List  *ListSnapshot // for ReadBackList: Operation.Snapshot adds the records of the list to it and may return it
}

// A Snapshot shows which rows the service held when the snapshot was taken. Find returns
// the outcome for one row: Absent, Present, Differs, Refused, or Unknown if several
// records may be the row. Find may remove values from the row that need not be sent, and
// add those that the call needs as well.
type Snapshot interface {
	Find(ctx context.Context, row *rows.Row) (Outcome, error)
}

// A SnapshotFunc is a Snapshot whose Find calls the function.
type SnapshotFunc func(ctx context.Context, row *rows.Row) (Outcome, error)

// Find calls f.
func (f SnapshotFunc) Find(ctx context.Context, row *rows.Row) (Outcome, error) { return f(ctx, row) }

// The states of an outcome.
const (
	Absent  = job.Absent  // the service does not hold the row
	Sent    = job.Sent    // this job sent the row
	Present = job.Present // the service holds the row already
	Differs = job.Differs // the service holds the row with other content
	Refused = job.Refused // the service refused the row
	Unknown = job.Unknown // it is not known whether the service holds the row

	Doubled, Missing = "doubled", "missing" // for Options.OnRow
)

// An Outcome is the state of a row by a response or a snapshot, with the values that go with it.
type Outcome struct {
	State      string // one of the states above; empty means Sent
	HTTPStatus int
	Message    string
	Result     record.Record // the fields that the service set
	Count      int           // the number of records for the row in the snapshot of a list, otherwise 0

	IDs    []string // of the response to a create: the ids of what is new, with their names, and
	Untold []string // the names of those that it lacks
	Other  string   // what a response is about that stands for several rows, if that is none of them

	// Held returns the text that the service holds of a field in place of the row's, if it holds another one: empty where no list
	// shows it, or where it was not kept. It is nil if there is none.
	Held rows.Texts

	// In the snapshot for a dry run, the changes that the row makes in a record that exists.
	Title   record.Pair // the field that names the record to users, with its value; may be empty
	Changes []Change
}

// A Change is a field of a record that an update changes, with its texts before and after.
type Change struct{ Field, From, To string }

func (c Change) String() string {
	return c.Field + ": " + safetext.Quote(c.From) + ", not " + safetext.Quote(c.To)
}

// Options control how Run sends rows.
type Options struct {
	BatchSize      int    // the maximum number of rows of a call; 0 means 100
	Concurrency    int    // the number of calls at the same time; 0 means 8
	Retries        int    // the number of rounds in which rows are sent again that were not carried out; 0 leaves them to the next run, the commands use 4
	OnInvalid      string // Skip loads the valid rows; with "" or stop, one invalid row stops the load
	ResendExisting bool   // send rows that the service holds already
	UpdateExisting bool   // converge rows that the service holds with other content
	ResendSent     bool   // send rows again that Operation.Recall says to be present
	ResendUnknown  bool   // send rows with an unknown outcome again, even if they can't be read back
	Rejects        string // the path of the file for refused and invalid rows; the file is created if there are any
	RejectsAlways  bool   // write Rejects, with its header alone, even if there are none
	Results        string // the path of the file for loaded rows, with the fields that the service set; empty for none
	Unknown        string // the path of the file for rows with an unknown outcome; empty for none
	Verify         bool   // end with one more reading of the service, if it can be asked
	// OnRow is called at the end of the run for each row that is Refused or Unknown, or that the last reading shows to be Doubled or
	// Missing. The status is 0 if the row was not sent. It may be nil.
	OnRow      func(what string, issue decode.Issue, httpStatus int)
	Progress   func(done, total int)          // is called with the number of rows that have their final state, by one goroutine at a time; may be nil
	Note       func(text string)              // prints a note for the user, of several goroutines at a time; may be nil
	Count      func() (requests, retries int) // returns the counts of the client; if it is nil, each call counts as one request
	Words      phrase.Wording                 // of notes and reasons
	SettleTime *time.Duration                 // the settling time of every call, such as a short one in a test; nil to take it from the evidence

	// Tests of the package set these.
	sleep func(ctx context.Context, d time.Duration) error // waits for d or until ctx ends; nil for transport.Sleep
	now   func() time.Time                                 // returns the time; nil for a clock that can't be set
	boot  func() job.Boot                                  // returns the boot of the machine; nil for job.BootClock
}

func (o Options) withDefaults() Options {
	o.BatchSize, o.Concurrency = cmp.Or(max(o.BatchSize, 0), 100), cmp.Or(max(o.Concurrency, 0), 8)
	if o.sleep == nil {
		o.sleep = transport.Sleep
	}
	if o.boot == nil {
		o.boot = job.BootClock()
	}
	if o.now == nil {
		o.now = time.Now
		if start, on := time.Now(), o.boot(); on.ID != "" { // time.Now does not count the time that the machine slept
			o.now = func() time.Time { return start.Add(o.boot().Uptime - on.Uptime) }
		}
	}
	if o.Note == nil {
		o.Note = func(string) {}
	}
	if o.OnRow == nil {
		o.OnRow = func(string, decode.Issue, int) {}
	}
	return o
}

// Skip is the value of Options.OnInvalid that loads only the valid rows.
const Skip = "skip"

func mustParse(object string) record.Record {
	rec, _ := record.Parse([]byte(object))
	return rec
}

const (
	// ReconcileDelay is the least settling time, and the least time between two snapshots.
	ReconcileDelay = 2 * time.Second
	// maxLateWait is how late a list may be for a load to wait until it shows the canary: the next run need not wait for that.
	maxLateWait = 10 * time.Second
	// MaxListLag is how long a list may take to show the witness.
	MaxListLag = 2 * time.Minute
	// maxUnknownLines is the maximum number of rows of a kind that are noted.
	maxUnknownLines = 20
)

// lines notes the first of the lines about many rows.
type lines struct {
	note func(text string)
	step string // of the rows; empty for none
	n    int
}

func (l *lines) add(text string) {
	if l.n++; l.n <= maxUnknownLines {
		l.note(text)
	}
}

// end notes how many lines were left out, in the words for one and for several.
func (l *lines) end(one, several string) {
	if more := l.n - maxUnknownLines; more > 0 {
		l.note(join(l.step, phrase.Count(more, one, several)))
	}
}

// byResult has the rows that get a result, in ascending order: what is said of many rows is recorded at once.
type byResult map[job.Result][]uint32

func (b byResult) add(result job.Result, row uint32) { b[result] = append(b[result], row) }

func (b byResult) record(rec *job.Recorder) {
	for result, ordinals := range b {
		rec.Record(job.RowResult(result, ordinals...))
	}
	clear(b)
}

// join puts the name of a step before a text, unless it is empty.
func join(step, text string) string {
	if step == "" {
		return text
	}
	return step + ": " + text
}

// ResultFields returns the JSON of the fields that the results file shows, empty if rec has none of them.
func (op *Operation) ResultFields(rec record.Record) string {
	if fields := rec.Only(op.Results...); fields.Len() > 0 {
		return string(fields.Raw())
	}
	return ""
}

// unsent returns the result of a row that is not sent, by what is known of it.
func (op *Operation) unsent(out Outcome) job.Result {
	state := job.StateOf(out.State)
	if state == job.StateUnknown {
		state = job.StateAmbiguous // StateUnknown is for rows that may have been sent
	}
	return job.Result{State: state, HTTPStatus: out.HTTPStatus, Message: out.Message, Fields: op.ResultFields(out.Result)}
}
