// Starts the client: session, live stream, shell.
import { mount } from 'svelte';
import App from './App.svelte';
import './styles/tokens.css';
import './styles/base.css';
import { startSession } from './lib/session.svelte.ts';
import { startTheme } from './lib/theme.svelte.ts';

startTheme();
const target = document.getElementById('app');
if (target !== null) mount(App, { target });
void startSession();
