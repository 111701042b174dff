#compdef petstore
# petstore completion for zsh
#
# "petstore complete zsh" is asked how the line goes on. The first line of its answer says how the words below it are
# meant (":" and "files" or "open"); each word may have a tab and what it stands for behind it. What was typed travels as
# data, zsh quotes what it inserts, and nothing is ever evaluated.
_petstore() {
  local line answer word
  local -a lines words_found shown how
  local -i width=0
  lines=("${(@f)$(petstore complete zsh "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2> /dev/null)}")
  answer=$lines[1]
  shift lines
  if [[ $answer == *files* ]]; then
    compset -P '--*='
    _files
    return
  fi
  for line in "${(@)lines}"; do
    word=${line%%$'\t'*}
    words_found+=("$word")
    (( $#word > width )) && width=$#word
  done
  (( $#words_found )) || return 1
  # Case does not matter, as in the words of the answer.
  how=(-V petstore -d shown -M 'm:{[:lower:][:upper:]}={[:upper:][:lower:]}')
  for line in "${(@)lines}"; do
    word=${line%%$'\t'*}
    if [[ $line == *$'\t'?* ]]; then
      line="${(r:width:)word}  -- ${line#*$'\t'}"
      shown+=("${line[1,COLUMNS-1]}")
      how+=(-l)
    else
      shown+=("$word")
    fi
  done
  [[ $answer == *open* ]] && how+=(-S '')
  compadd "${how[@]}" -a words_found
}
if [[ $funcstack[1] == _petstore ]]; then
  _petstore "$@"
elif (( $+functions[compdef] )); then
  compdef _petstore petstore
fi
