package rows

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"sync"

	"reseller/client/record"
	"reseller/client/schema"
)

// References are the accounts and campaigns that cells name in other words than by a number. All passes over a file share
// them, so that a text stands for one account from the first row to the last.
type References struct {
	// Find returns the id that a text in a field stands for, or the reason why it stands for none. account is the account
	// of the row, 0 if it is not known. An error ends the reading of the file.
	Find func(field, text string, account int64) (id int64, reason string, err error)

	mu    sync.Mutex
	found map[string]answer
}

type answer struct {
	id     int64
	reason string
}

// resolve returns the id of a reference, which is looked up once.
func (r *References) resolve(field, text string, account int64) (answer, error) {
	key := field + " " + schema.FoldText(text)
	if account != 0 {
		key += fmt.Sprintf(" of %d", account)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if known, ok := r.found[key]; ok {
		return known, nil
	}
	var a answer
	var err error
	if a.id, a.reason, err = r.Find(field, text, account); err != nil {
		return a, err
	}
	if r.found == nil {
		r.found = map[string]answer{}
	}
	r.found[key] = a
	return a, nil
}

// References returns a hash of what the references of the file stand for, which Validate has looked up. It is empty if the file has
// none. A job that is resumed compares it: a name that stands for another account by now must not get the rows of the first.
func (l *layout) References() string {
	if l.schema.References == nil || len(l.schema.References.found) == 0 {
		return ""
	}
	sum := sha256.New()
	for _, key := range slices.Sorted(maps.Keys(l.schema.References.found)) {
		fmt.Fprintf(sum, "%q %d\n", key, l.schema.References.found[key].id)
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// A cellReference is a cell of a row that names an account or a campaign in other words than by a number.
type cellReference struct {
	to     *binding
	column string
	text   string
}

// keepReference keeps a cell that names an account or a campaign by something else than a number, until resolveReferences sets its
// value. It reports whether the cell is one.
func (b *builder) keepReference(t *binding, column, text string) bool {
	isReference := b.schema.References != nil && t.kind == kindField && t.field.IsReference() && schema.IsReferenceCell(text)
	if isReference {
		b.references = append(b.references, cellReference{t, column, text})
	}
	return isReference
}

// resolveReferences sets the ids that the references of the row stand for: the account first, since a campaign is looked for
// among those of the account.
func (b *builder) resolveReferences(constants []constant) error {
	for _, field := range []string{"account_id", "campaign_id"} {
		account, _ := b.row.Values.Get("account_id").Int64()
		for _, c := range constants {
			if c.field.Name == "account_id" && account == 0 {
				account, _ = c.value.Int64()
			}
		}
		for _, r := range b.references {
			if r.to.field.Name != field {
				continue
			}
			found, err := b.schema.References.resolve(field, r.text, account)
			if err != nil {
				return err
			}
			if found.reason != "" {
				b.setValue(r.to, r.column, r.text, nil, fmt.Errorf("%s %s", strconv.Quote(r.text), found.reason))
				continue
			}
			b.setValue(r.to, r.column, r.text, record.Integer(found.id), nil)
			b.row.written = append(b.row.written, Value{field, record.Quote(r.text)})
		}
	}
	return nil
}

// asWritten returns values with the texts of the file in place of the ids that they stand for. The digest of a file is made of
// them, so that it is that of the file, whatever the texts stand for.
func (r *Row) asWritten(values Values) Values {
	if r.written == nil {
		return values
	}
	values = slices.Clone(values)
	for _, v := range r.written {
		values.Set(v.Name, v.JSON)
	}
	return values
}
