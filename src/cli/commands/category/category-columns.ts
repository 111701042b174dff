import type { CategoryRow } from '../../../domain/categories/category.js';
import type { Columns } from '../../output/view.js';

/** The columns of a list of categories. */
export const categoryColumns: Columns<CategoryRow> = {
  all: [
    { name: 'id', heading: 'ID', value: ({ id }) => id, numeric: true },
    { name: 'name', heading: 'Name', least: 8, value: ({ name }) => name },
    { name: 'pets', heading: 'Pets', value: ({ pets }) => pets, numeric: true },
    { name: 'description', heading: 'Description', least: 12, value: ({ description }) => description },
  ],
  shown: ['id', 'name', 'pets', 'description'],
  json: ['id', 'name', 'description'],
  id: 'id',
};

/** A category as JSON has it. */
export const categoryRecord = ({ id, name, description }: CategoryRow): unknown => ({ id, name, ...(description !== undefined && { description }) });
