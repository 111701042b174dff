#!/bin/sh
# Installs petstore from the folder of this file; nothing is downloaded.
#   sh install.sh [prefix]              by default /usr/local for root, ~/.local for others
#   sh install.sh --uninstall [prefix]  shops are left where they are
set -eu

refuse() {
  echo "error: $1" >&2
  exit 1
}

action=install
if [ "${1-}" = --uninstall ]; then
  action=uninstall
  shift
fi
case ${1-} in -*) refuse "There is no option $1; \"sh install.sh [--uninstall] [prefix]\" is all." ;; esac
if [ "$(id -u)" = 0 ]; then prefix=/usr/local; else prefix=${HOME-}/.local; fi
prefix=${1-$prefix}
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)

# The files beside the program: the command, manual pages, completion, licences.
files=$(cd "$here" && find bin share -type f)

if [ "$action" = uninstall ]; then
  for file in $files; do rm -f "$prefix/$file"; done
  rm -rf "$prefix/lib/petstore" "$prefix/share/doc/petstore"
  echo "Removed petstore from $prefix. Shops are left where they are."
  exit 0
fi

"$here/bin/petstore" version > /dev/null 2>&1 || refuse "This petstore does not run here: it is for $(cat "$here/lib/petstore/platform"), and this machine is $(uname -sm)."
mkdir -p "$prefix/lib" 2> /dev/null && [ -w "$prefix/lib" ] || refuse "$prefix cannot be written. Run this with sudo, or name a folder of yours: sh install.sh ~/.local"

# Beside, then renamed: a refused or interrupted installation leaves the earlier one as it was.
new=$prefix/lib/petstore.new
remove_new() {
  rm -rf "$new" "$new.old"
  for file in $files; do rm -f "$prefix/$file.new"; done
}
trap remove_new EXIT
trap 'exit 1' HUP INT TERM
remove_new
cp -R "$here/lib/petstore" "$new" || refuse "The program could not be copied to $prefix/lib."
for file in $files; do
  mkdir -p "$prefix/$(dirname "$file")" && cp "$here/$file" "$prefix/$file.new" || refuse "$file could not be copied to $prefix."
done
"$new/node" "$new/bin/write-bytecode.js"
if [ -d "$prefix/lib/petstore" ]; then mv "$prefix/lib/petstore" "$new.old"; fi
mv "$new" "$prefix/lib/petstore"
for file in $files; do mv "$prefix/$file.new" "$prefix/$file"; done
echo "Installed $("$prefix/bin/petstore" --version) in $prefix."
case :$PATH: in
  *:"$prefix/bin":*) ;;
  *) echo "Add it to the PATH of your shell: export PATH=\"$prefix/bin:\$PATH\"" ;;
esac
echo "Next: petstore"
