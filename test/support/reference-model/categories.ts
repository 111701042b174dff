import type { Conditional, Rules } from './apply-command.js';
import { created, done, liveCategory, nextId, refuse, appendRow, type Model, type ModelCategory } from './shop.js';

/** The commands for categories. */
export type CategoryCommand =
  | { readonly do: 'create category'; readonly name: string; readonly description: string | undefined }
  | {
      readonly do: 'edit category';
      readonly category: number;
      readonly name: string | undefined;
      /** Null removes it. */
      readonly description: string | null | undefined;
    }
  | { readonly do: 'replace category'; readonly category: number; readonly name: string; readonly description: string | undefined }
  | { readonly do: 'delete category'; readonly category: number; readonly moveTo: number | undefined };

/** Refuses the name of a live category, in any case. */
function checkName({ categories }: Model, name: string): void {
  for (const category of categories.values()) {
    if (category.live && category.name.toLowerCase() === name.toLowerCase()) refuse('category_exists');
  }
}

function change(model: Model, id: number, { name, description }: Pick<ModelCategory, 'name' | 'description'>, check: Conditional): string {
  const category = liveCategory(model, id, 'category_not_found');
  check('category', id);
  if (category.name === name && category.description === description) return done;
  if (category.name.toLowerCase() !== name.toLowerCase()) checkName(model, name);
  Object.assign(category, { name, description });
  appendRow(model, { kind: 'category.updated', category: id });
  return done;
}

/** The rules of categories. */
export const categoryRules: Rules<CategoryCommand> = {
  'create category': (model, { name, description }) => {
    checkName(model, name);
    const id = nextId(model.categories);
    model.categories.set(id, { name, description, live: true });
    appendRow(model, { kind: 'category.created', category: id });
    return created(id);
  },
  'edit category': (model, { category, name, description }, check) => {
    const before = liveCategory(model, category, 'category_not_found');
    const kept = description === undefined ? before.description : (description ?? undefined);
    return change(model, category, { name: name ?? before.name, description: kept }, check);
  },
  'replace category': (model, { category, name, description }, check) => change(model, category, { name, description }, check),
  'delete category': (model, { category: id, moveTo }, check) => {
    const category = liveCategory(model, id, 'category_not_found');
    check('category', id);
    const pets = [...model.pets].filter(([, pet]) => pet.live && pet.category === id);
    if (moveTo === id) refuse('validation_failed');
    if (moveTo === undefined && pets.length > 0) refuse('category_in_use');
    if (moveTo !== undefined) liveCategory(model, moveTo, 'unknown_category');
    for (const [petId, pet] of pets) {
      pet.category = moveTo ?? pet.category;
      appendRow(model, { kind: 'pet.updated', pet: petId });
    }
    category.live = false;
    appendRow(model, { kind: 'category.archived', category: id });
    return done;
  },
};
