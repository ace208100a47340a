export const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];
export const IMAGES_MAX = 8;
const BYTES_MAX = 5 * 1024 * 1024;

/** A picture in the form in which a chat takes it. Throws where it cannot be sent. */
export async function dataUrlOf(file: File): Promise<string> {
  if (!IMAGE_TYPES.includes(file.type)) throw new Error('An image is a PNG, JPEG, WebP or GIF file.');
  if (file.size > BYTES_MAX) throw new Error('An image has at most 5 MB.');
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(reader.result as string));
    reader.addEventListener('error', () => reject(new Error('This image could not be read.')));
    reader.readAsDataURL(file);
  });
}
