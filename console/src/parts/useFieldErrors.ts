import { useId, useLayoutEffect, useState, type RefObject } from 'react';
import { ApiFailure, sentenceOf } from '../api/failure.ts';
import { fieldOf } from './fieldNames.ts';
import { Lacking } from './lacking.ts';

/** What the API says about one field of a form. */
export interface FieldError {
  id: string;
  message: string;
  /** Where it is shown: the field with its label. */
  place: Element;
  input: HTMLElement;
}

const INPUTS = 'input:not([type=hidden]), textarea, select';
// 401: a wrong code.
const OF_INPUT = new Set([400, 401, 409, 422]);

/**
 * Splits a refusal into what is about the fields of the form around `region`, and the rest, which stands above them. Its fields are marked
 * until they are changed, and the first of them gets the focus.
 */
export function useFieldErrors(region: RefObject<HTMLElement | null>, error: unknown) {
  const id = useId();
  const [fields, setFields] = useState<FieldError[]>([]);
  const [rest, setRest] = useState<string | null>(null);
  useLayoutEffect(() => {
    const form = region.current?.closest('form');
    const found = form ? findFields(form, error, id) : [];
    setFields(found);
    setRest(restOf(error, found));
    // Above a long form it may be out of sight, and the button that was pressed is below.
    if (found.length === 0 && error) requestAnimationFrame(() => region.current?.scrollIntoView({ block: 'nearest' }));
    if (!form || found.length === 0) return undefined;
    const undo = found.map(mark);
    found[0]!.input.focus();
    const onInput = ({ target }: Event) => {
      const at = found.findIndex(({ input }) => input === target);
      undo[at]?.();
      setFields((before) => before.filter(({ input }) => input !== target));
    };
    form.addEventListener('input', onInput);
    return () => {
      form.removeEventListener('input', onInput);
      for (const end of undo) end();
    };
  }, [region, error, id]);
  return { fields, rest };
}

function findFields(form: HTMLElement, error: unknown, id: string): FieldError[] {
  const inputs = [...form.querySelectorAll<HTMLInputElement>(INPUTS)].filter((input) => !input.disabled);
  const names = inputs.map(namesOf);
  const placed =
    error instanceof Lacking
      ? error.found
      : issuesOf(error).map(({ path, message }) => ({ input: inputs[fieldOf(names, path)], message }));
  return placed.flatMap(({ input, message }, nth) => {
    if (!input) return [];
    const place = input.closest('.mantine-InputWrapper-root') ?? input.parentElement!;
    return [{ id: `${id}-${nth}`, message, place, input }];
  });
}

/** The names of an input: that of the API where its own differs, the form's, and its label. */
const namesOf = (input: HTMLInputElement): string[] => [
  input.dataset.param ?? '',
  input.dataset.path ?? '',
  input.name,
  input.ariaLabel ?? '',
  ...[...(input.labels ?? [])].map(({ textContent }) => textContent),
];

function issuesOf(error: unknown): { path: string; message: string }[] {
  if (!(error instanceof ApiFailure) || !OF_INPUT.has(error.status)) return [];
  if (error.fields.length > 0) return error.fields;
  return error.param === null ? [] : [{ path: error.param, message: error.message }];
}

function restOf(error: unknown, found: FieldError[]): string | null {
  if (!error || error instanceof Lacking) return null;
  const issues = issuesOf(error);
  if (found.length > 0 && found.length === issues.length) return null;
  return typeof error === 'string' ? error : sentenceOf(error);
}

/** Marks a field as wrong. Returns a function that undoes it. */
function mark({ id, input }: FieldError): () => void {
  const before = input.getAttribute('aria-describedby');
  const fold = input.closest('details');
  if (fold) fold.open = true;
  input.setAttribute('aria-invalid', 'true');
  input.setAttribute('aria-describedby', before ? `${before} ${id}` : id);
  return () => {
    input.removeAttribute('aria-invalid');
    if (before) input.setAttribute('aria-describedby', before);
    else input.removeAttribute('aria-describedby');
  };
}
