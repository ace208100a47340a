import { createRoot } from 'react-dom/client';
import { App } from './shell/App.tsx';

createRoot(document.getElementById('root')!).render(<App />);
