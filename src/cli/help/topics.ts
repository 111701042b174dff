/** The names of the help topics. */
export const topics = ['formatting', 'scripting', 'import', 'exit-codes', 'environment', 'stores', 'settings', 'backups'] as const;
