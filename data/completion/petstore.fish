# petstore completion for fish
#
# "petstore complete fish" is asked how the line goes on. The first line of its answer says how the words below it are
# meant (":" and "files" or "open"); each word may have a tab and what it stands for behind it.
function __petstore_complete
    set -l words (commandline -opc)
    set -l last (commandline -ct)
    set -l lines (petstore complete fish $words[2..-1] "$last" 2> /dev/null)
    if string match -q -- '*files*' "$lines[1]"
        set -l flag (string match -r -- '^--[a-z-]+=' "$last")
        __fish_complete_path (string replace -r -- '^--[a-z-]+=' '' "$last") | string replace -r -- '^' "$flag"
    else
        printf '%s\n' $lines[2..-1]
    end
end
complete -c petstore -e
complete -c petstore -f -k -a '(__petstore_complete)'
