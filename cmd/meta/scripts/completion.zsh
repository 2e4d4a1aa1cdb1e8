#compdef reseller
compdef _reseller reseller

# zsh completion for reseller

_reseller() {
    local typed=${PREFIX} line directive program=${(Q)words[1]/#\~\//$HOME/}
    local -a lines found options
    # The words are unquoted, but not evaluated. The first one may be an alias: then the program is the one in the path.
    (( $+commands[$program] )) || [[ -x $program ]] || program=reseller
    typed=${(Q)${:-$QIPREFIX$IPREFIX$PREFIX${compstate[quote]}}}
    lines=("${(@f)$("$program" __complete "${(@Q)words[2,CURRENT-1]}" "$typed" </dev/null 2>/dev/null)}")
    directive=${lines[-1]#:}
    for line in "${(@)lines[1,-2]}"; do
        # A description follows a colon.
        line=${line//\\/\\\\}
        line=${line//:/\\:}
        found+=("${line/$'\t'/:}")
    done
    compset -P '--[^=]#=' || true
    (( directive & 1 )) && return 1
    (( directive & 2 )) && options+=(-S '')
    (( directive & 32 )) && options+=(-V)
    if (( directive & 16 )); then
        _files -/
    elif ! (( directive & 4 )) && (( ! $#found )); then
        _files
    else
        _describe completions found -M 'm:{[:lower:][:upper:]}={[:upper:][:lower:]}' "${options[@]}"
    fi
}

# Do not complete when the script is only read.
if [ "$funcstack[1]" = "_reseller" ]; then
    _reseller
fi
