/** What a statement reads or changes: the unit in which writes that run side by side find conflicts. */
export type Subject = `pet ${number}` | `order ${number}` | `key ${string}` | 'categories' | 'settings';

/** The declaration of a statement that may run beside those of other writes. */
export interface Declaration {
  /** For a read, everything that its answer depends on; for a change, everything of which a declared read may now answer something else. */
  readonly subjects: readonly Subject[];
  /** Further subjects that the answer names. */
  readonly inRow?: ((row: Readonly<Record<string, unknown>>) => readonly Subject[]) | undefined;
  /** Whether a read usually finds nothing, so that the reads after it can be predicted. */
  readonly isUsuallyEmpty?: boolean;
}

/** The subjects for those of some ids that are given. */
export function subjectsOf(ids: { readonly petId?: number | null | undefined; readonly orderId?: number | null | undefined }): readonly Subject[] {
  const { petId, orderId } = ids;
  const pets: readonly Subject[] = typeof petId === 'number' ? [`pet ${petId}`] : [];
  return typeof orderId === 'number' ? [...pets, `order ${orderId}`] : pets;
}
