"""Several fields joined by links and portals: routes and reach over floors."""
