/** The path of the server, such as `/shop` with `--base-path /shop`: scripts are at `/board/assets/` below it. */
export const basePath: string = new URL('../..', import.meta.url).pathname.slice(0, -1);

/** Whether the server offers only stable operations: its page says so, because a missing operation alone does not tell why. */
export const isStableOnly: boolean = document.documentElement.dataset['offers'] === 'stable';
