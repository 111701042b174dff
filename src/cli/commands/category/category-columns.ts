import type { CategoryRow } from '../../../domain/categories/category.js';
import { aCategory } from '../../prompts/questions.js';
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

/** The names of the fields of a category. */
export const categoryFields = categoryColumns.all.map(({ name }) => name);

/** Asks for the category that an argument names. */
export const whichCategory = { category: aCategory('Which category?') };

/** The category as the contract has it. */
export const categoryRecord = ({ id, name, description }: CategoryRow): unknown => ({ id, name, ...(description !== undefined && { description }) });
