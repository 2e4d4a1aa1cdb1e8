package cli

import (
	"bytes"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"syscall"

	"reseller/client"
	"reseller/client/bulk/decode"
	"reseller/client/bulk/job"
	"reseller/client/phrase"
	"reseller/client/redact"
	"reseller/client/safetext"
	"reseller/client/schema"
	"reseller/output"
	"reseller/output/summaryfile"
)

// Exit codes, described by `reseller help exit-codes`.
const (
	ExitOK          = 0
	ExitFailed      = 1
	ExitUsage       = 2
	ExitPartial     = 3
	ExitAuth        = 4
	ExitNotFound    = 5
	ExitRefused     = 6
	ExitUnreachable = 7
	ExitChanges     = 8
	ExitBusy        = 9
)

// A UsageError reports something invalid in the command line or the input. Nothing was sent.
type UsageError = output.UsageError

func Usagef(format string, args ...any) *UsageError { return output.Usagef(format, args...) }

// A PanicError is a bug of this program: one of its goroutines panicked. Rows of a load may have been sent.
type PanicError struct {
	Value any
	Stack []byte
}

func (e *PanicError) Error() string {
	return "internal error: " + redact.Text(fmt.Sprint(e.Value))
}

func (e *PanicError) ProcessExitCode() int { return ExitFailed }

// Advice asks for a report with the places of the program that led to the panic.
func (e *PanicError) Advice() string {
	var places []string
	inProgram := regexp.MustCompile(`(?m)^reseller/([\w/]+)\..*\n\t.*/([\w.]+:\d+)`)
	_, before, _ := bytes.Cut(e.Stack, []byte("\npanic("))
	for _, m := range inProgram.FindAllSubmatch(before, 8) {
		places = append(places, string(m[1])+"/"+string(m[2]))
	}
	return "this is a bug: please report it with the command line, the output of `reseller version` and these places: " + strings.Join(places, " ")
}

type ExitError struct {
	Code int
	Err  error
	Hint string
}

func (e *ExitError) Error() string { return e.Err.Error() }
func (e *ExitError) Unwrap() error { return e.Err }

func (e *ExitError) ProcessExitCode() int { return e.Code }

// NotYet returns the error of a command that has sent nothing, and that can be tried again later, as hint says.
func NotYet(hint, format string, args ...any) error {
	return &ExitError{Code: ExitBusy, Err: fmt.Errorf(format, args...), Hint: hint}
}

// ErrChanges ends a command that --exit-code has asked to tell changes. It is no failure, so nothing is reported.
var ErrChanges error = &ExitError{Code: ExitChanges, Err: errors.New("there are changes")}

// Interrupted is the cause of a context that a signal canceled.
type Interrupted struct{ Signal os.Signal }

func (e Interrupted) Error() string { return "interrupted" }

// ProcessExitCode is 128 plus the number of the signal, as shells report it.
func (e Interrupted) ProcessExitCode() int {
	if n, ok := e.Signal.(syscall.Signal); ok {
		return 128 + int(n)
	}
	return 130
}

// The methods by which errors tell ExitCode their exit code or their kind of failure.
// The libraries do not know exit codes.
type (
	exitCoder       interface{ ProcessExitCode() int }
	invalidInput    interface{ InvalidInput() }
	unauthenticated interface{ Unauthenticated() }
)

func ExitCode(err error) int {
	var (
		interrupted Interrupted // wherever it is in the chain
		coder       exitCoder
		invalid     invalidInput
		noAuth      unauthenticated
		network     *client.NetworkError
		refusal     *client.Error
	)
	switch {
	case err == nil:
		return ExitOK
	case errors.As(err, &interrupted):
		return interrupted.ProcessExitCode()
	case errors.As(err, &coder):
		return coder.ProcessExitCode()
	case errors.As(err, &invalid):
		return ExitUsage
	case errors.As(err, &noAuth):
		return ExitAuth
	case errors.As(err, new(*job.BusyError)):
		return ExitBusy
	case errors.As(err, &network) && !IsUntrusted(err): // which no later attempt mends
		return ExitUnreachable
	case errors.As(err, &refusal):
		return refusalExitCode(refusal)
	}
	return ExitFailed
}

func IsUntrusted(err error) bool { return errors.As(err, new(*tls.CertificateVerificationError)) }

// JointExitCode returns the exit code of n things of which some failed with these codes: ExitPartial if the
// others or parts of them succeeded, else the code that all of them have, or ExitFailed if they differ.
func JointExitCode(n int, failed ...int) int {
	switch {
	case len(failed) < n, slices.Contains(failed, ExitPartial):
		return ExitPartial
	case slices.Min(failed) == slices.Max(failed):
		return failed[0]
	}
	return ExitFailed
}

// worse returns the more serious one of the error of what a command did at the service and that of its output. Either may be nil.
func worse(err, printed error) error {
	switch code := ExitCode(err); {
	case printed == nil:
		return err
	case err == nil:
		return printed
	case code == ExitPartial || code == ExitChanges:
		return &ExitError{Code: ExitFailed, Err: err, Hint: Hint(err)}
	}
	return err
}

// Both is worse, and reports the error of the output if it is not returned and tells anything new.
func (s *Session) Both(err, printed error) error {
	switch {
	case err == nil || printed == nil:
	case errors.Is(err, printed) || errors.As(printed, new(*output.BrokenPipeError)):
		return err
	default:
		s.ReportFailure(printed)
	}
	return worse(err, printed)
}

// Unprinted returns the error of printing the response of a call that succeeded.
func Unprinted(call client.Call, printed error) error {
	if printed == nil || !call.Op.Writes() {
		return printed
	}
	return fmt.Errorf("%s: the service has acknowledged the call, and its response can't be printed: %w", call.Action(), printed)
}

func refusalExitCode(e *client.Error) int {
	if len(e.Items) == 0 {
		return statusExitCode(e.HTTPStatus)
	}
	codes := make([]int, len(e.Items))
	for i, item := range e.Items {
		codes[i] = statusExitCode(int(item.StatusCode))
	}
	return JointExitCode(e.ItemCount, codes...)
}

func statusExitCode(status int) int {
	switch {
	case status == 401 || status == 403:
		return ExitAuth
	case status == 404:
		return ExitNotFound
	case status == 429 || status >= 500:
		return ExitUnreachable
	}
	return ExitRefused
}

func WithHint(err error, hint string) error {
	return &ExitError{Code: ExitCode(err), Err: err, Hint: hint}
}

// noSuchID returns the hint about a refusal of the only account or campaign that a call names, empty for any other.
func noSuchID(e *client.Error) string {
	inAction := regexp.MustCompile(`^\D* (account|campaign) (\d+)$`)
	if e.HTTPStatus != 404 || !e.Envelope || !inAction.MatchString(e.Action) {
		return ""
	}
	return inAction.ReplaceAllString(e.Action, "it seems that no $1 has the id $2: `reseller ${1}s list --search TEXT` finds an id, and ext:IDENTIFIER or name:NAME stands for one")
}

func Hint(err error) string {
	var coded *ExitError
	var refusal *client.Error
	var network *client.NetworkError
	var guard *client.GuardError
	var hinted interface{ Advice() string }
	switch {
	case errors.As(err, &coded) && coded.Hint != "":
		return coded.Hint
	case errors.As(err, &hinted) && hinted.Advice() != "":
		return hinted.Advice()
	case errors.As(err, new(*job.CorruptError)):
		return "run the command of the load with --restart: it skips the rows that it can read back or remembers as sent, and sends all others again"
	case errors.As(err, &refusal) && refusal.Operation == schema.OpLogin.Name() && refusal.HTTPStatus < 404:
		return "check the user name and the password"
	case errors.As(err, &refusal) && refusal.HTTPStatus == 401:
		return "the service rejected the token: `reseller auth status` shows where it comes from; unless that is a variable, a file or a command, `reseller auth login` gets a new one"
	case errors.As(err, &refusal) && refusal.HTTPStatus == 403:
		return "the token is valid but does not permit this"
	case errors.As(err, &refusal) && noSuchID(refusal) != "":
		return noSuchID(refusal)
	case IsUntrusted(err):
		return "if a proxy of your company replaces certificates, give its root certificate by --ca-file"
	case errors.As(err, &network):
		return "`reseller doctor` checks the address"
	case errors.As(err, &guard):
		return "use an https address, or --allow-http if you trust the network"
	}
	return ""
}

// messageOf returns the text of an error, each of whose lines is cut after 2 KB. The texts of
// *client.Error may be longer: they have up to 20 messages, each of which is cut.
func messageOf(err error) string {
	text := redact.Tokens(strings.TrimSpace(err.Error()))
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		if texts := phrase.Each(joined.Unwrap(), error.Error); strings.Join(texts, "\n") == text && decode.AsError(err) == nil {
			text = strings.Join(texts, "; ")
		}
	}
	if refusal := (*client.Error)(nil); errors.As(err, &refusal) {
		return text
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = safetext.Cut(line, safetext.MaxMessage)
	}
	return strings.Join(lines, "\n")
}

func Info(err error) output.ErrorInfo {
	info := output.ErrorInfo{Message: messageOf(err), ExitCode: ExitCode(err)}
	var refusal *client.Error
	var unreadable *client.UnreadableError
	var network *client.NetworkError
	var redirect *client.RedirectError
	switch {
	case errors.As(err, &refusal):
		info.HTTPStatus, info.Messages, info.ErrorCode, info.Operation = refusal.HTTPStatus, refusal.Messages, refusal.Code, refusal.Operation
	case errors.As(err, &unreadable):
		info.HTTPStatus, info.Operation = unreadable.HTTPStatus, unreadable.Operation
	case errors.As(err, &redirect):
		info.HTTPStatus, info.Operation = redirect.HTTPStatus, redirect.Operation
	case errors.As(err, &network):
		info.Operation = network.Operation
	}
	return info
}

func report(stderr io.Writer, err error, hint string, asJSON bool) {
	info := Info(err)
	invalid := decode.AsError(err)
	if asJSON {
		info.Faults = faults(invalid)
		if hint != "" {
			fmt.Fprintf(stderr, "hint: %s\n", safetext.Escape(hint))
		}
		var line bytes.Buffer
		_ = output.WriteError(&line, info)
		_, _ = stderr.Write(summaryfile.GuardJSON(stderr, line.Bytes()))
		return
	}
	var kept []rune
	if invalid != nil { // a line break in any other error came from the service or the user
		kept = []rune{'\n'}
	}
	fmt.Fprintf(stderr, "error: %s\n", safetext.Escape(info.Message, kept...))
	if hint != "" {
		fmt.Fprintf(stderr, "hint: %s\n", safetext.Escape(hint))
	}
}

func faults(invalid *decode.Error) []output.Fault {
	if invalid == nil {
		return nil
	}
	list := make([]output.Fault, len(invalid.Issues))
	for i, issue := range invalid.Issues {
		list[i] = output.Fault{
			File: issue.File, Line: OrNull(issue.Line), Row: OrNull(issue.Row), Column: OrNull(issue.Column),
			Value: OrNull(safetext.Cut(issue.Value, safetext.MaxMessage)), Reason: issue.Reason,
		}
	}
	return list
}

// OrNull returns nil for a zero value, which JSON writes as null.
func OrNull[T comparable](v T) *T {
	if v == *new(T) {
		return nil
	}
	return &v
}
