/** Replaced by the build with the version in package.json. */
declare const PETSTORE_VERSION: string | undefined;

/** The version of the program. */
export const version: string = typeof PETSTORE_VERSION === 'string' ? PETSTORE_VERSION : '0.0.0';
