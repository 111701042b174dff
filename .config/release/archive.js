// Archives with the same bytes whenever, wherever and by whomever they are made: sorted names, one time, no owner.
import { shell } from './run.js';

const modes =
  'find "$NAME" -type d -exec chmod 755 {} +; find "$NAME" -type f -perm /111 -exec chmod 755 {} +; find "$NAME" -type f ! -perm /111 -exec chmod 644 {} +';

/** Writes the folder `name` of `parent` as a tar archive packed by gzip; each file gets the time `epoch`. */
export function writeTarball(parent, name, file, epoch) {
  const tar = 'tar --sort=name --format=ustar --mtime="@$EPOCH" --owner=0 --group=0 --numeric-owner -cf - "$NAME" | gzip -9n > "$FILE"';
  shell(`${modes}; ${tar}`, parent, { NAME: name, FILE: file, EPOCH: epoch });
}

/** Writes the folder `name` of `parent` as a zip archive. */
export function writeZip(parent, name, file, epoch) {
  const zip = 'find "$NAME" -exec touch -h -d "@$EPOCH" {} +; rm -f "$FILE"; find "$NAME" | sort | zip -X -q -9 "$FILE" -@';
  shell(`${modes}; ${zip}`, parent, { NAME: name, FILE: file, EPOCH: epoch });
}

/** The sums of files, as `sha256sum --check` reads them. */
export function sha256Sums(folder, files) {
  return files
    .toSorted()
    .map((file) => shell('sha256sum -- "$FILE"', folder, { FILE: file }))
    .join('');
}

/** The size of a file, for people. */
export const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;
