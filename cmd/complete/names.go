package complete

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"reseller/client/names"
	"reseller/client/phrase"
	"reseller/client/safetext"
	"reseller/client/schema"
	"reseller/cmd/cli"
	"reseller/cmd/lookup"
)

// Patience is how long a completion looks for words. With the start of the program, it stays below the 300
// milliseconds after which people notice that they wait. Tests set it, so that they do not depend on the speed of the
// machine.
var Patience = 250 * time.Millisecond

const maxWords = 1000

// accounts completes the ids, names and external identifiers of accounts.
func accounts(session *cli.Session) cobra.CompletionFunc {
	return inTime(session, lookup.Account, func(ctx context.Context, x *lookup.Finder, _ *cobra.Command) (names.List, error) {
		return x.Recent(ctx, lookup.Account)
	})
}

// campaigns completes the ids and names of campaigns: those of the accounts that the command line names, if it
// names some.
func campaigns(session *cli.Session) cobra.CompletionFunc {
	return inTime(session, lookup.Campaign, func(ctx context.Context, x *lookup.Finder, c *cobra.Command) (names.List, error) {
		list, err := x.Recent(ctx, lookup.Campaign)
		flag := c.Flags().Lookup("account")
		if err != nil || flag == nil || !flag.Changed {
			return list, err
		}
		if _, err := x.Recent(ctx, lookup.Account); err != nil {
			return nil, err
		}
		ids, err := x.Accounts(ctx, "--account", cli.FlagValues(flag)...)
		return list.Of(ids...), err
	})
}

// inTime returns the completion of accounts or campaigns with the words of a list that is found in time, without
// questions, notes and logins.
func inTime(session *cli.Session, kind string, find func(context.Context, *lookup.Finder, *cobra.Command) (names.List, error)) cobra.CompletionFunc {
	return func(c *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		ctx, cancel := context.WithTimeout(context.Background(), Patience)
		defer cancel()
		// The search may go on when its time is over, so it shares nothing that the command closes.
		own := cli.NewFrame(cli.Streams{Err: io.Discard, Env: session.Env}, "")
		own.Version, own.Flags, own.NoLogin = session.Version, session.Flags, true
		list, err := cli.WithContext(ctx, func() (names.List, error) { return find(ctx, lookup.New(own.Session), c) })
		if err != nil {
			return nil, noFiles
		}
		return words(list, kind, typed), noFiles
	}
}

// words returns the words that complete a typed text: ids, and the names and identifiers that begin with the text and mean
// nothing to a shell, behind the prefix that was typed. A tab and a description of the account or campaign follow each word.
func words(list names.List, kind, typed string) []cobra.Completion {
	var found []cobra.Completion
	offered := map[string]bool{}
	add := func(word, about string) {
		if !offered[word] && len(found) < maxWords {
			offered[word] = true
			found = append(found, word+"\t"+about)
		}
	}
	prefix := schema.ReferencePrefix(typed)
	typed = typed[len(prefix):]
	for _, e := range list {
		id, name, identifier := strconv.FormatInt(e.ID, 10), safetext.Escape(e.Name), safetext.Escape(e.Identifier)
		about := strings.Join(strings.Fields(name+" "+identifier), " ")
		if e.Account != 0 {
			about = strings.TrimSpace(about + fmt.Sprintf(" (account %d)", e.Account))
		}
		if (prefix == "" || prefix == schema.PrefixID) && strings.HasPrefix(id, typed) {
			add(prefix+id, safetext.Cut(about, 200))
		}
		for _, word := range [...]struct{ prefix, text string }{{schema.PrefixName, e.Name}, {schema.PrefixIdentifier, e.Identifier}} {
			isMeant := prefix == word.prefix || prefix == "" && typed != "" && !schema.IsID(word.text) && schema.ReferencePrefix(word.text) == ""
			if isMeant && word.text != "" && strings.HasPrefix(strings.ToLower(word.text), strings.ToLower(typed)) && cli.IsInert(word.text) {
				add(prefix+word.text, kind+" "+id)
			}
		}
	}
	return found
}

// jobs completes the ids of jobs, the latest first, each once.
func jobs(session *cli.Session) cobra.CompletionFunc {
	return func(_ *cobra.Command, given []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		store, err := session.Jobs()
		if err != nil {
			return nil, noFiles
		}
		list, _ := store.List()
		var found []cobra.Completion
		for _, status := range slices.Backward(list) {
			if !slices.Contains(given, status.ID) {
				about := phrase.List(status.Operation, status.State, status.File)
				found = append(found, status.ID+"\t"+safetext.Escape(safetext.Cut(about, 200)))
			}
		}
		return found, noFiles | cobra.ShellCompDirectiveKeepOrder
	}
}
