# bash completion for reseller

__start_reseller() {
    local options line program=${COMP_WORDS[0]/#'~/'/$HOME/}
    COMPREPLY=()
    # The first word may be an alias: then the program is the one in the path.
    type -P -- "$program" >/dev/null || program=reseller
    {
        # The program reads the line, which is not evaluated, and prints options for compopt and the words as the line has to have them.
        IFS= read -r options || return
        while IFS= read -r line; do
            COMPREPLY+=("$line")
        done
    } < <("$program" __complete_bash "${COMP_LINE:0:COMP_POINT}" "${COMP_TYPE-}" "$COMP_WORDBREAKS" "${COLUMNS:-80}" </dev/null 2>/dev/null)
    for line in $options; do
        compopt -o "$line" 2>/dev/null && continue
        # bash 3 has no compopt: what completes files and folders is done here.
        [[ $line == d* ]] && while IFS= read -r line; do
            COMPREPLY+=("$(printf %q "$line")")
        done < <(compgen -f -- "$2")
    done
}

complete -F __start_reseller reseller
