/** Replaced by the build with the version in package.json. */
declare const PETSTORE_VERSION: string | undefined;
/** Replaced by the build with the commit that it was made of; empty where that is not known. */
declare const PETSTORE_COMMIT: string | undefined;

/** The version of the program. */
export const version: string = typeof PETSTORE_VERSION === 'string' ? PETSTORE_VERSION : '0.0.0';

/** The commit that the program was built from; undefined if it is not known. */
export const commit: string | undefined = (typeof PETSTORE_COMMIT === 'string' && PETSTORE_COMMIT) || undefined;

/** What `petstore --version` prints: "1.0.0 (commit 0a1b2c3d, Node 24.1.0)". */
export const versionLine = `${version} (${commit === undefined ? '' : `commit ${commit}, `}Node ${process.versions.node})`;
