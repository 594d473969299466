/* page.c - the layout of a picture. */
typedef int btvi_page_placeholder;
