# fish completion for reseller

# __reseller_complete asks the program for the words that complete the line, which is not evaluated. It fails if the names of files
# complete it.
function __reseller_complete
    set -g __reseller_words
    set -l words (commandline -opc)
    set -l typed (commandline -ot)
    # The first word may be an alias: then the program is the one in the path.
    set -l program (string replace -r '^~/' "$HOME/" -- $words[1])
    command -q -- $program; or set program reseller
    set -l lines ($program __complete $words[2..-1] "$typed" </dev/null 2>/dev/null)
    set -l directive (string replace : '' -- $lines[-1])
    string match -qr '^[0-9]+$' -- "$directive"; or return 0
    # What is typed of a flag with an equals sign is a part of the words.
    set -l flag (string match -r -- '^(?:-[^=]*=)?' "$typed")
    set -l value (string sub -s (math (string length -- "$flag") + 1) -- "$typed")
    if test (math "bitand($directive, 16)") -ne 0
        set __reseller_words "$flag"(__fish_complete_directories "$value")
        return 0
    end
    set __reseller_words "$flag"$lines[1..-2]
    # After a comma or an equals sign, there is no space: where more may follow, the only word is offered with and without.
    if test (math "bitand($directive, 2)") -ne 0
        set -l matching (string match -er -- '^'(string escape --style=regex -- "$flag$value") $__reseller_words)
        set -l sign ,
        string match -q -- '*--where*' "$words[-1]$flag"; and set sign =
        test (count $matching) -eq 1; and set -a __reseller_words (string split -m 1 \t -- $matching)[1]$sign
    end
    test (count $lines) -gt 1 -o (math "bitand($directive, 4)") -ne 0
end

complete -c reseller -e
complete -c reseller -k -f -n __reseller_complete -a '$__reseller_words'
