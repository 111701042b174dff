/** The version of the API, sent with every answer. */
export const apiVersion = '1.0.0';

/** The media type of records and errors. */
export const jsonType = 'application/json';

/** The Content-Type of such answers. */
export const jsonContentType = `${jsonType}; charset=utf-8`;

/**
 * The media type of complete records, with all fields that commands and the board show, and of errors with details and advice.
 * Increase the number when a record changes its meaning: client and server of different versions then refuse each other.
 */
export const completeType = 'application/vnd.petstore.complete.1+json';

/** The media type of an import's answer with complete records: NDJSON with a line per callback, then the report or error. */
export const importLinesType = 'application/x-ndjson';
