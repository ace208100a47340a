import { ActionIcon } from '@mantine/core';
import { PlayIcon, StopIcon } from '@radix-ui/react-icons';
import { usePlayer } from './player.ts';

/** Plays a sound, and stops it. `name` says which. */
export function PlayButton({
  id,
  src,
  name,
  isLarge = false,
}: {
  id: string;
  src: string;
  name: string;
  isLarge?: boolean;
}) {
  const { isPlaying, isLoading, toggle } = usePlayer(id, src);
  return (
    <ActionIcon
      variant={isPlaying ? 'filled' : 'default'}
      radius="xl"
      size={isLarge ? 40 : 28}
      loading={isLoading}
      aria-label={`${isPlaying ? 'Stop' : 'Play'} ${name}`}
      onClick={toggle}
    >
      {isPlaying ? <StopIcon /> : <PlayIcon />}
    </ActionIcon>
  );
}
