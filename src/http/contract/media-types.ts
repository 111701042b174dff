/** The version of the contract, on every answer. */
export const apiVersion = '1.0.0';

/** The media type of records and errors. */
export const jsonType = 'application/json';

/** The same as an answer names it. */
export const json = `${jsonType}; charset=utf-8`;

/**
 * What our own client accepts: answers with everything an operation tells, as people read it on a terminal, and errors
 * with their hints. The number goes up when a row changes its meaning, so that programs of two ages notice.
 */
export const rowsType = 'application/vnd.petstore.rows.1+json';
