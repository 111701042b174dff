import { category, type CategoryRow } from '../../../domain/categories/category.js';
import type { Versioned } from '../../../domain/values/version.js';
import { pickFields } from '../../../domain/values/fields.js';
import { columnList, type Columns, type ColumnsByName } from '../../output/view.js';

const columns: ColumnsByName<CategoryRow, keyof Omit<CategoryRow, keyof Versioned>> = {
  id: { heading: 'ID', value: ({ id }) => id, numeric: true },
  name: { heading: 'Name', least: 8, value: ({ name }) => name },
  pets: { heading: 'Pets', value: ({ pets }) => pets, numeric: true },
  description: { heading: 'Description', least: 12, value: ({ description }) => description },
};

/** The columns of a list of categories. */
export const categoryColumns: Columns<CategoryRow> = {
  all: columnList(columns),
  shown: ['id', 'name', 'pets', 'description'],
  json: Object.keys(category.entries),
  id: 'id',
};

/** A category as JSON has it. */
export const categoryRecord = (row: CategoryRow): unknown => pickFields(category.entries, row);
