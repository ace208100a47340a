const SIDE = 256;

/** An image cut to a small square. Drawing it anew leaves out what cameras and programs write into files. */
export async function squareOf(file: File): Promise<File> {
  const picture = await createImageBitmap(file).catch(() => {
    throw new Error('This file is no image that the browser can read.');
  });
  const side = Math.min(picture.width, picture.height);
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = Math.min(SIDE, side);
  const [left, top] = [(picture.width - side) / 2, (picture.height - side) / 2];
  canvas.getContext('2d')!.drawImage(picture, left, top, side, side, 0, 0, canvas.width, canvas.height);
  const drawn = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (!drawn) throw new Error('This image could not be drawn.');
  return new File([drawn], 'logo.png', { type: 'image/png' });
}
