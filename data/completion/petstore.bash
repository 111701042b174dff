# petstore completion for bash
#
# "petstore complete bash" is asked how the line goes on. The first line of its answer says how the words below it are
# meant (":" and "files" or "open"); each word may have a tab and what it stands for behind it. What was typed travels as
# data, words come back quoted for the place they go to, and nothing is ever evaluated.
_petstore() {
  local answer='' line word about
  local -i width=0 index
  local -a words=() meanings=()
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ -z $answer ]]; then
      answer=$line
    else
      word=${line%%$'\t'*}
      words+=("$word")
      meanings+=("${line#*$'\t'}")
      (( ${#word} > width )) && width=${#word}
    fi
  done < <(petstore complete bash "$COMP_WORDBREAKS" "${COMP_LINE:0:COMP_POINT}" 2> /dev/null)
  case $answer in
    *files*) compopt -o default 2> /dev/null; return ;;
    *open*) compopt -o nospace 2> /dev/null ;;
  esac
  compopt -o nosort 2> /dev/null
  COMPREPLY=("${words[@]}")
  # Words that are only listed show what they stand for; what becomes part of the line never does.
  [[ $COMP_TYPE == 63 && ${#words[@]} -gt 1 ]] || return 0
  for (( index = 0; index < ${#words[@]}; index++ )); do
    about=${meanings[index]}
    [[ -n $about ]] || continue
    printf -v line '%-*s  %s' "$width" "${words[index]}" "$about"
    COMPREPLY[index]=${line:0:${COLUMNS:-80}-1}
  done
}
complete -F _petstore petstore
