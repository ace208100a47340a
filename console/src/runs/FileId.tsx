import { CopyButton } from '../parts/CopyButton.tsx';

/** The id of a file in an input, and a button to copy it. */
export const FileId = ({ id }: { id: string }) => (
  <span className="id">
    {id} <CopyButton value={id} name="Copy the file’s id" />
  </span>
);
