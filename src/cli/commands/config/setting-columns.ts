import type { SettingWithSource } from '../../../settings/settings.js';
import type { Columns } from '../../output/view.js';

/** The fields of a setting. */
export const settingFields = ['name', 'value', 'source'] as const;

/** The columns of a list of settings. */
export const settingColumns: Columns<SettingWithSource> = {
  all: [
    { name: 'name', heading: 'Setting', value: ({ name }) => name },
    { name: 'value', heading: 'Value', least: 12, wraps: true, value: ({ value }) => value },
    { name: 'source', heading: 'Source', value: ({ source }) => source },
  ],
  shown: settingFields,
  json: settingFields,
  id: 'name',
};
