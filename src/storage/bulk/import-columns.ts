import type { RowOptions } from '../../formats/reader.js';

/** How an import treats the columns of its file. */
export type ImportColumns = Pick<RowOptions, 'columns' | 'required' | 'ignored' | 'unknownColumns'>;

/** The columns that a file of refused rows adds. They are ignored, so that the corrected file can be imported as it is. */
export const rejectColumns = ['_line', '_code', '_message'] as const;
