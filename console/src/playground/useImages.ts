import { useState } from 'react';

export const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];
const IMAGES_MAX = 8;
const BYTES_MAX = 5 * 1024 * 1024;

/** The images of the next question, and why the last one could not be attached. */
export function useImages() {
  const [images, setImages] = useState<string[]>([]);
  const [problem, setProblem] = useState<string | null>(null);
  const attach = async (files: File[]) => {
    setProblem(null);
    try {
      const added = await Promise.all(files.map(dataUrlOf));
      setImages((before) => [...before, ...added].slice(0, IMAGES_MAX));
    } catch (error) {
      setProblem((error as Error).message);
    }
  };
  return { images, setImages, problem, attach };
}

/** A picture in the form in which a chat takes it. Throws where it cannot be sent. */
async function dataUrlOf(file: File): Promise<string> {
  if (!IMAGE_TYPES.includes(file.type)) throw new Error('An image is a PNG, JPEG, WebP or GIF file.');
  if (file.size > BYTES_MAX) throw new Error('An image has at most 5 MB.');
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(reader.result as string));
    reader.addEventListener('error', () => reject(new Error('This image could not be read.')));
    reader.readAsDataURL(file);
  });
}
